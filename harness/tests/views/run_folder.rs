//! Folders with the tables of a run, written by the tests, and the program on them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// Columns of `timings.csv`.
const TIMINGS: &str = "instruction,encoding,bytes,cycles,cycles_low,cycles_high,latency,latency_low,latency_high,throughput,\
                       throughput_low,throughput_high,waves_per_simd,samples,status,detail,cycles_snapped,dropped,taken,\
                       taken_low,taken_high";

/// A run's folder under construction.
pub(crate) struct RunFolder {
    folder: TempDir,
    timings: String,
}

impl RunFolder {
    /// A run of a device, without rows.
    pub(crate) fn new(device: &str) -> Self {
        let record = serde_json::json!({
            "schema": 2, "tool": "gcn-timings 0.1.0",
            "device": {
                "device": "synthetic", "name": device, "driver": "none", "target": "gfx701", "generation": "1.1",
                "compute_units": 2, "clock_mhz": 947.0, "realtime_mhz": null
            },
            "assembler": "none",
            "options": { "suites": ["all"], "only": [], "waves": [1, 2, 4], "samples": 20, "sweeps": 2, "seed": 1 },
            "code_objects": [], "start": "2026-01-02T03:04:05.678Z", "end": "2026-01-02T03:05:00Z"
        });
        let run = Self { folder: tempfile::tempdir().unwrap(), timings: format!("{TIMINGS}\n") };
        run.file("run.json", &record.to_string()).file("timings.csv", &format!("{TIMINGS}\n"))
    }

    /// Adds a file.
    pub(crate) fn file(self, name: &str, text: &str) -> Self {
        fs::write(self.folder.path().join(name), text).unwrap();
        self
    }

    /// Adds a row to `timings.csv`: its name, then cycles, latency and throughput (each with low and high, or empty), status,
    /// detail, and cycles where a jump is taken.
    pub(crate) fn timing(mut self, name: &str, three: [&str; 3], status: &str, detail: &str, taken: &str) -> Self {
        let or_empty = |text: &str| if text.is_empty() { ",,".to_owned() } else { text.to_owned() };
        let [cycles, latency, throughput] = three.map(or_empty);
        let taken = or_empty(taken);
        self.timings += &format!("{name},VOP2,4,{cycles},{latency},{throughput},1,60,{status},{detail},,0,{taken}\n");
        let text = self.timings.clone();
        self.file("timings.csv", &text)
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn text(&self) -> &str {
        self.path().to_str().unwrap()
    }

    /// The run's files with their contents, those of folders as well, sorted by path.
    pub(crate) fn files(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let mut found = Vec::new();
        let mut folders = vec![self.path().to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    found.push((path.clone(), fs::read(&path).unwrap()));
                }
            }
        }
        found.sort();
        found
    }

    /// A run with something for every picture and table; one detail would break a page that does not escape it.
    pub(crate) fn full() -> Self {
        let mut penalties =
            "experiment,case,offset_dwords,waves_per_simd,penalty_cycles,low,high,expected,verdict\n".to_owned();
        let mut add = |row: String| penalties += &format!("{row}\n");
        for stride in [1, 2, 3, 32] {
            add(format!("lds-stride,stride {stride},{stride},2,{stride},{stride},{stride},more than 0,match"));
        }
        for waves in [1, 2, 4] {
            for offset in 0..8 {
                let cycles = if waves == 1 && offset > 2 { 8 } else { 0 };
                add(format!("alignment,V_ADD_F64,{offset},{waves},{cycles},{cycles},{cycles},{cycles},match"));
                add(format!("jump-forward,S_BRANCH,{offset},{waves},{cycles},{cycles},{cycles},{cycles},match"));
            }
            add(format!("scheduling,V_ADD_I32 > S_MOV_B32,,{waves},16,16,16,16,match"));
            add(format!("scheduling,V_MOV_B32 > S_MOV_B32,,{waves},0,0,0,0,match"));
        }
        Self::new("card <A> & B")
            .timing("V_ADD_F32", ["4,4,4", "4,4,4", "1,1,1"], "ok", "", "")
            .timing("V_ADD_F64", ["16,15.9,16.1", "16,15.9,16.1", "0.25,0.24,0.26"], "ok", "", "")
            .timing("V_FMA_F64", ["8,8,8", "8,8,8", "0.5,0.5,0.5"], "ok", "", "")
            .timing("S_ENDPGM", ["", "", ""], "skipped", "<script>ends the wave</script>", "")
            .file("penalties.csv", &penalties)
            .file(
                "throughput.csv",
                "instruction,waves_per_simd,throughput,low,high,status,detail,case\n\
                 V_ADD_F32,1,1,1,1,ok,,\nV_ADD_F32,2,1,0.9,1.1,ok,,\nV_ADD_F64,1,0.25,0.25,0.25,ok,,\n",
            )
            .file(
                "validation.csv",
                "source,instruction,quantity,published,expected,measured,verdict\n\
                 clrx,V_ADD_F32,cycles,4,4,4,match\nclrx,V_ADD_F32,throughput,1,1,1,match\n\
                 clrx,V_ADD_F64,cycles,DPFACTOR*4,16,16,match\nllvm,V_FMA_F64,cycles,16,16,8,mismatch\n\
                 llvm,V_ADD_F64,cycles,8,8,16,mismatch\n",
            )
            .file(
                "occupancy.csv",
                "waves_per_simd,sgprs,vgprs,lds_dwords_per_lane,issue\n10,48,24,6.4,5\n2,102,128,32,2\n",
            )
            .file(
                "disputes.csv",
                "number,question,instruction,quantity,source,predicted,measured,low,high,verdict,detail\n\
                 1,\"F64: 8 or 16\",V_ADD_F64,cycles,clrx,16,16,16,16,match,\n",
            )
            .file(
                "dpfactor.json",
                r#"{"dpfactor":4,"dp_rate":"1/8","low":3.9,"high":4.1,"agreeing":1,"of":2,"class":"known","measured":4,
                  "contradicting":["V_FMA_F64"],"rows":[
                  {"instruction":"V_ADD_F64","multiple":4,"cycles":16,"factor":4,"low":3.9,"high":4.1,"agrees":true},
                  {"instruction":"V_FMA_F64","multiple":4,"cycles":8,"factor":2,"low":2,"high":2,"agrees":false}]}"#,
            )
            .file(
                "readings.csv",
                "experiment,launch,n,pass,wave,begin,end,hw_id,hw_id_end,realtime_begin,realtime_end\n\
                 V_ADD_F64/cycles,0,8,0,0,1000,1100,0,0,,\nV_ADD_F64/cycles,0,8,1,0,2000,2103,0,0,,\n\
                 V_ADD_F64/cycles,0,16,0,0,3000,3200,0,0,,\n",
            )
    }
}

/// The program's output.
pub(crate) struct CommandOutput {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) error: String,
}

pub(crate) fn run(arguments: &[&str]) -> CommandOutput {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gcn-timings"));
    let output = command.args(arguments).env_remove("CLICOLOR_FORCE").stdin(Stdio::null()).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    CommandOutput { code: output.status.code(), out: text(output.stdout), error: text(output.stderr) }
}
