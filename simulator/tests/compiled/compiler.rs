//! Compiling OpenCL C with the system's clang, and loading the result as a driver's loader does.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use gcn_model::code_object::KernelDescriptor;
use gcn_model::gpu::Gpu;
use gcn_simulator::{
    Apertures, Backing, Configuration, Dispatch, LaunchStatistics, Memory, SimulationError, Unmapped, dispatch,
};
use object::{Object, ObjectSegment, ObjectSymbol};

/// The kernels' arguments: two pointers and a number.
const ARGUMENT_BYTES: usize = 20;
const CODE: u64 = 0x7000_0000_0000;
const ARGUMENTS: u64 = 0x1_0000;
const QUEUE: u64 = 0x2_0000;
const PACKET: u64 = 0x3_0000;
const INPUT: u64 = 0x10_0000_0000;
const OUTPUT: u64 = 0x20_0000_0000;

/// A target, the GPU that has it, and the compiler that knows it.
#[derive(Clone, Copy)]
pub(crate) struct Target {
    name: &'static str,
    gpu: &'static str,
    clang: &'static str,
    /// The option that says how many lanes a wave has, where there is a choice.
    wave_size: Option<&'static str>,
}

impl Target {
    /// Those of GCN.
    pub(crate) const GCN: [Self; 2] =
        [Self::of("gfx803", "fiji", "clang", None), Self::of("gfx900", "vega10", "clang", None)];
    /// Those of RDNA, whose waves have 32 or 64 lanes.
    pub(crate) const RDNA: [Self; 6] = [
        Self::of("gfx1010", "rx5700xt", "clang-22", Some("-mno-wavefrontsize64")),
        Self::of("gfx1010", "rx5700xt", "clang-22", Some("-mwavefrontsize64")),
        Self::of("gfx1030", "rx6800", "clang-22", Some("-mno-wavefrontsize64")),
        Self::of("gfx1030", "rx6800", "clang-22", Some("-mwavefrontsize64")),
        Self::of("gfx1100", "rx7900xtx", "clang-22", Some("-mno-wavefrontsize64")),
        Self::of("gfx1100", "rx7900xtx", "clang-22", Some("-mwavefrontsize64")),
    ];
    /// Those with WMMA.
    pub(crate) const WAVE_MATRIX: [Self; 4] = [
        Self::RDNA[4],
        Self::RDNA[5],
        Self::of("gfx1201", "rx9070xt", "clang-22", Some("-mno-wavefrontsize64")),
        Self::of("gfx1201", "rx9070xt", "clang-22", Some("-mwavefrontsize64")),
    ];
    /// Those with matrix instructions that kernels are run for. Older compilers do not know the last two.
    pub(crate) const MATRIX: [Self; 3] = [
        Self::of("gfx90a", "mi210", "clang-22", None),
        Self::of("gfx942", "mi300x", "clang-22", None),
        Self::of("gfx950", "mi355x", "clang-22", None),
    ];

    pub(crate) const fn of(
        name: &'static str,
        gpu: &'static str,
        clang: &'static str,
        wave_size: Option<&'static str>,
    ) -> Self {
        Self { name, gpu, clang, wave_size }
    }

    /// Those whose matrix instructions scale elements.
    pub(crate) const SCALED: [Self; 1] = [Self::MATRIX[2]];

    /// Whether its compiler is there; if not, the tests say so and do without the target, unless `GCN_TIMINGS_NEED_CLANG` (of clang-22:
    /// `GCN_TIMINGS_NEED_CLANG_22`) is set.
    fn is_there(&self) -> bool {
        let cpu = format!("-mcpu={}", self.name);
        let arguments = ["-x", "cl", "-target", "amdgcn-amd-amdhsa", &cpu, "-nogpulib", "-c", "-o", "/dev/null", "-"];
        let run = Command::new(self.clang).args(arguments).stdin(std::process::Stdio::null()).output();
        let is_there = run.is_ok_and(|output| output.status.success());
        if !is_there {
            let variable = if self.clang == "clang" { "GCN_TIMINGS_NEED_CLANG" } else { "GCN_TIMINGS_NEED_CLANG_22" };
            assert!(env::var_os(variable).is_none(), "no {} for {} is installed", self.clang, self.name);
            println!("SKIPPED: no {} for {} is installed", self.clang, self.name);
        }
        is_there
    }
}

fn linker() -> PathBuf {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).args(["--print", "target-libdir"]).output().expect("rustc runs");
    let libraries = String::from_utf8(output.stdout).expect("a path");
    Path::new(libraries.trim()).parent().expect("a folder").join("bin/rust-lld")
}

/// Memory of the host: places with bytes.
#[derive(Debug, Default)]
struct Host {
    places: Mutex<Vec<(u64, Vec<u8>)>>,
}

impl Host {
    fn put(&self, address: u64, bytes: Vec<u8>) {
        self.places.lock().unwrap().push((address, bytes));
    }

    fn get(&self, address: u64) -> Vec<u8> {
        let places = self.places.lock().unwrap();
        places.iter().find(|(at, _)| *at == address).expect("it was put there").1.clone()
    }
}

impl Backing for Host {
    fn read(&self, address: u64, bytes: &mut [u8]) -> Result<(), Unmapped> {
        let end = address + bytes.len() as u64;
        let mut is_mapped = false;
        for (at, place) in self.places.lock().unwrap().iter() {
            // A page is mapped if anything is in it.
            let (first, last) = (address.max(*at), end.min(at + place.len() as u64));
            if first < last {
                is_mapped = true;
                let from = &place[(first - at) as usize..(last - at) as usize];
                bytes[(first - address) as usize..(last - address) as usize].copy_from_slice(from);
            }
        }
        if is_mapped { Ok(()) } else { Err(Unmapped(address)) }
    }

    fn write(&self, address: u64, bytes: &[u8]) -> Result<(), Unmapped> {
        let mut places = self.places.lock().unwrap();
        let is_in = |(at, place): &&mut (u64, Vec<u8>)| {
            *at <= address && address + bytes.len() as u64 <= at + place.len() as u64
        };
        let (at, place) = places.iter_mut().find(is_in).ok_or(Unmapped(address))?;
        let first = (address - *at) as usize;
        place[first..first + bytes.len()].copy_from_slice(bytes);
        Ok(())
    }
}

/// A linked code object and the GPU that it is for.
pub(crate) struct Compiled {
    /// Target, optimisation and size of waves, for messages.
    pub(crate) name: String,
    configuration: Configuration,
    object: Vec<u8>,
}

/// The inputs of a kernel.
pub(crate) struct Run<'a> {
    pub(crate) kernel: &'a str,
    pub(crate) input: &'a [u8],
    pub(crate) output_bytes: usize,
    pub(crate) n: u32,
    pub(crate) grid: [u32; 3],
    pub(crate) group: [u32; 3],
}

/// A source file for all targets whose compilers are there, with and without optimisation.
pub(crate) fn compile(source: &str) -> Vec<Compiled> {
    compile_for(source, &[Target::GCN.as_slice(), &Target::MATRIX, &Target::RDNA].concat())
}

/// Likewise for some targets.
pub(crate) fn compile_for(source: &str, targets: &[Target]) -> Vec<Compiled> {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let folder = env::temp_dir().join(format!("gcn-simulator-compiled-{}-{number}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for the objects");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kernels").join(source);
    let mut compiled = Vec::new();
    for target in targets.iter().filter(|target| target.is_there()) {
        for level in ["-O0", "-O3"] {
            let (object, linked) = (folder.join("kernels.o"), folder.join("kernels.so"));
            let target_option = format!("-mcpu={}", target.name);
            let mut clang = Command::new(target.clang);
            clang.args(["-x", "cl", "-cl-std=CL2.0", "-target", "amdgcn-amd-amdhsa", &target_option, level]);
            clang.args(["-mcode-object-version=4", "-nogpulib", "-ffp-contract=off", "-c"]);
            clang.args(target.wave_size);
            clang.arg(if target.wave_size == Some("-mno-wavefrontsize64") { "-DLANES=32" } else { "-DLANES=64" });
            run(clang.arg(&path).arg("-o").arg(&object));
            let mut linker = Command::new(linker());
            run(linker.args(["-flavor", "gnu", "-shared"]).arg(&object).arg("-o").arg(&linked));
            compiled.push(Compiled {
                name: format!("{} {level} {}", target.name, target.wave_size.unwrap_or_default()),
                configuration: Configuration::of(&Gpu::named(target.gpu).expect("it ships")),
                object: std::fs::read(&linked).expect("the linker wrote it"),
            });
        }
    }
    std::fs::remove_dir_all(&folder).expect("the folder can be removed");
    compiled
}

fn run(command: &mut Command) {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}

impl Compiled {
    /// Whether the kernel's descriptor asks for denormals of single precision to be flushed.
    pub(crate) fn flushes_denormals(&self, kernel: &str) -> bool {
        self.descriptor(kernel).registers.rsrc1 >> 16 & 3 != 3
    }

    /// Lanes of the kernel's waves.
    pub(crate) fn lanes(&self, kernel: &str) -> u32 {
        self.descriptor(kernel).wave_size(self.configuration.generation)
    }

    fn descriptor(&self, kernel: &str) -> KernelDescriptor {
        let file = object::File::parse(&*self.object).expect("an ELF file");
        let descriptor = descriptor(&file, kernel);
        let bytes = file.segments().find_map(|segment| segment.data_range(descriptor, 64).ok().flatten());
        let bytes = bytes.expect("the descriptor is in the file");
        KernelDescriptor::read(bytes.try_into().expect("64 bytes"))
    }

    /// Runs a kernel and gives its output.
    pub(crate) fn run(&self, run: &Run<'_>) -> Result<(Vec<u8>, LaunchStatistics), SimulationError> {
        let host = Arc::new(Host::default());
        let file = object::File::parse(&*self.object).expect("an ELF file");
        for segment in file.segments() {
            host.put(CODE + segment.address(), segment.data().expect("the segment is in the file").to_vec());
        }
        let mut arguments = [INPUT.to_le_bytes(), OUTPUT.to_le_bytes()].concat();
        arguments.extend(run.n.to_le_bytes());
        arguments.resize(ARGUMENT_BYTES + 44, 0);
        host.put(ARGUMENTS, arguments);
        host.put(INPUT, run.input.to_vec());
        host.put(OUTPUT, vec![0xee; run.output_bytes]);
        // amd_queue_t, of which kernels read the apertures: the high halves of their addresses at 0x40 and 0x44.
        let apertures = Apertures::of(self.configuration.generation);
        let mut queue = vec![0; 256];
        queue[0x40..0x44].copy_from_slice(&((apertures.shared >> 32) as u32).to_le_bytes());
        queue[0x44..0x48].copy_from_slice(&((apertures.private >> 32) as u32).to_le_bytes());
        host.put(QUEUE, queue);
        // hsa_kernel_dispatch_packet_t, of which kernels read the sizes of groups (two bytes each, from 4 on) and grid (from 12 on).
        let mut packet = vec![0; 64];
        for (i, (group, grid)) in run.group.iter().zip(run.grid).enumerate() {
            packet[4 + 2 * i..6 + 2 * i].copy_from_slice(&(*group as u16).to_le_bytes());
            packet[12 + 4 * i..16 + 4 * i].copy_from_slice(&grid.to_le_bytes());
        }
        host.put(PACKET, packet);
        let mut memory = Memory::backed_by(host.clone());
        let statistics = dispatch(
            &self.configuration,
            &Dispatch {
                descriptor_address: CODE + descriptor(&file, run.kernel),
                kernarg_address: ARGUMENTS,
                dispatch_packet_address: PACKET,
                queue_address: QUEUE,
                dispatch_id: 0,
                grid: run.grid,
                group: run.group,
                private_segment_bytes: 0,
                group_segment_bytes: 0,
                scratch: None,
                apertures,
                ordinal: 0,
                cycle_limit: 100_000_000,
            },
            &mut memory,
        )?;
        Ok((host.get(OUTPUT), statistics))
    }
}

fn descriptor(file: &object::File<'_>, kernel: &str) -> u64 {
    let name = format!("{kernel}.kd");
    let symbol = file.dynamic_symbols().find(|symbol| symbol.name() == Ok(&name));
    symbol.unwrap_or_else(|| panic!("the object has {name}")).address()
}
