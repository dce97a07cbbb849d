//! A small host program of OpenCL: what this project's device does, with one mistake if it is asked for.
//!
//! `opencl-host CODE_OBJECT KERNEL [MISTAKE]`: runs the kernel on 256 work-items and compares its results with those that the host
//! computes. Exit codes: 0 right results, 3 a call gave an error code, 4 wrong results, 5 no OpenCL library.

mod api;
mod mistake;
mod session;

use std::process::ExitCode;

use crate::api::{Api, Refused};
use crate::mistake::Mistake;
use crate::session::Session;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let (Some(path), Some(kernel)) = (arguments.next(), arguments.next()) else {
        println!("usage: opencl-host CODE_OBJECT KERNEL [MISTAKE]");
        return ExitCode::from(2);
    };
    let mistake = arguments.next().map(|name| Mistake::named(&name));
    if mistake == Some(None) {
        println!("there is no such mistake");
        return ExitCode::from(2);
    }
    let Ok(code_object) = std::fs::read(&path) else {
        println!("{path} cannot be read");
        return ExitCode::from(2);
    };
    let api = match Api::load() {
        Ok(api) => api,
        Err(error) => {
            println!("no OpenCL library: {error}");
            return ExitCode::from(5);
        }
    };
    match Session::new(&api, mistake.flatten()).run(&code_object, &kernel) {
        Ok(true) => {
            println!("right results");
            ExitCode::SUCCESS
        }
        Ok(false) => {
            println!("wrong results");
            ExitCode::from(4)
        }
        Err(Refused { call, code }) => {
            println!("{call} gave {code}");
            ExitCode::from(3)
        }
    }
}
