//! Functions of the dispatch table that this driver does not provide: each says so and gives an error code.
#![expect(unsafe_code, reason = "the functions of a dispatch table are unsafe ones, these as well")]

use std::any::Any;
use std::ffi::c_void;

use opencl_sys::{CL_INVALID_OPERATION, cl_int};

use crate::raw::Out;
use crate::report::report;

/// The name of a function of the API.
pub(crate) trait Name: 'static {
    const NAME: &str;
}

/// The type of a function that can refuse.
pub(crate) trait Refuses {
    /// A function of that type which does nothing but refuse.
    fn refusing<N: Name>() -> Self;
}

/// The result of a function that refuses.
trait Refused {
    const VALUE: Self;
}

impl Refused for cl_int {
    const VALUE: Self = CL_INVALID_OPERATION;
}

impl Refused for *mut c_void {
    const VALUE: Self = std::ptr::null_mut();
}

impl Refused for () {
    const VALUE: Self = ();
}

/// Writes the error code where the argument says, if that is the argument's purpose.
fn put_code(argument: &dyn Any) {
    // The functions that are refused take a `cl_int *` only to give the error code.
    if let Some(code) = argument.downcast_ref::<*mut cl_int>() {
        // SAFETY: by the contract of the function that was called, it is null or points to a `cl_int`.
        unsafe { Out::new(*code) }.put(CL_INVALID_OPERATION);
    }
}

macro_rules! refuses {
    ($($argument:ident)*) => {
        impl<R: Refused, $($argument: 'static),*> Refuses for Option<unsafe extern "C" fn($($argument),*) -> R> {
            fn refusing<N: Name>() -> Self {
                #[expect(non_snake_case, reason = "the arguments are called as their types are")]
                extern "C" fn refuse<N: Name, R: Refused, $($argument: 'static),*>($($argument: $argument),*) -> R {
                    report(N::NAME, "this driver does not provide it (CL_INVALID_OPERATION)");
                    $(put_code(&$argument);)*
                    R::VALUE
                }
                Some(refuse::<N, R, $($argument),*>)
            }
        }
    };
}

refuses!(A);
refuses!(A B);
refuses!(A B C);
refuses!(A B C D);
refuses!(A B C D E);
refuses!(A B C D E F);
refuses!(A B C D E F G);
refuses!(A B C D E F G H);
refuses!(A B C D E F G H I);
refuses!(A B C D E F G H I J);
refuses!(A B C D E F G H I J K);
refuses!(A B C D E F G H I J K L);
refuses!(A B C D E F G H I J K L M);
refuses!(A B C D E F G H I J K L M N1);
