# Short names for the usual commands; `just` alone lists them. Needs just (https://just.systems); none of them needs
# more than cargo, so each can be typed by hand as well.

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

# All benches
bench:
    cargo bench --workspace

# Rustdoc, with warnings denied
doc:
    RUSTDOCFLAGS='-D warnings' cargo doc --workspace --no-deps

# Measure a GPU of the reference model, such as `just measure fiji`
measure GPU='tahiti' *OPTIONS='':
    cargo run --release -- measure --device sim:{{ GPU }} {{ OPTIONS }}

# Everything that a change has to pass
ci:
    .ci/run
