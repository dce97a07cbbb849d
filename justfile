# Short names for the usual commands; `just` alone lists them. Needs just (https://just.systems); none of them needs
# more than cargo (and `run` ROCm or OpenCL), so each can be typed by hand as well.

# List the recipes
default:
    @just --list

# Format the code
fmt:
    cargo fmt --all

# Clippy, with warnings denied
lint:
    cargo clippy --workspace --all-targets -- -D warnings

# All tests, or those whose name contains FILTER
test FILTER='':
    cargo test --workspace {{ FILTER }}

# All benches, such as `just bench --sample-count 5`
bench *OPTIONS='':
    cargo bench --workspace -- {{ OPTIONS }}

# How the benches' ratios changed since the last release (benches/baseline.toml)
compare-benches:
    cargo test --workspace --benches -- --bench --sample-count 2 2>&1 | benches/compare

# Rustdoc, with warnings denied
doc:
    RUSTDOCFLAGS='-D warnings' cargo doc --workspace --no-deps

# Measure a GPU of the simulator, such as `just measure fiji`
measure GPU='tahiti' *OPTIONS='':
    cargo run --release -- measure --device sim:{{ GPU }} {{ OPTIONS }}

# Run a program of ROCm or OpenCL on a simulated GPU, such as `just run fiji rocminfo` (docs/simulated-driver.md)
run GPU='fiji' *PROGRAM='rocminfo':
    cargo build --release
    "${CARGO_TARGET_DIR:-target}/release/gcn-timings" run --gpu {{ GPU }} -- {{ PROGRAM }}

# Run an OpenCL program on a simulated card of AMD's, such as `just amd-opencl fiji clinfo` (tests/simulated-card/README.md)
amd-opencl GPU='fiji' *PROGRAM='clinfo':
    cargo build --release -p gcn-opencl-driver
    mkdir -p "${CARGO_TARGET_DIR:-target}/release/amd-opencl"
    realpath "${CARGO_TARGET_DIR:-target}/release/libgcn_opencl_driver.so" >"${CARGO_TARGET_DIR:-target}/release/amd-opencl/gcn.icd"
    GCN_TIMINGS_GPU={{ GPU }} OCL_ICD_VENDORS="$(realpath "${CARGO_TARGET_DIR:-target}/release/amd-opencl")" {{ PROGRAM }}

# Rewrite the published summaries of the reference GPUs; without the variable the test compares
results:
    GCN_TIMINGS_UPDATE_RESULTS=1 cargo test -p gcn-tests --test measuring shipped

# Everything that a change has to pass
ci:
    .ci/run
