//! A fixed amount of work, which nothing in this project changes: the times of the other benches are compared with it.

fn main() {
    divan::main();
}

/// Two million steps that each wait for the one before: a shift, a product and a look into a table that fits into the second cache.
#[divan::bench(sample_count = 20)]
fn fixed_work() -> u64 {
    const ENTRIES: usize = 1 << 14;
    let mut table = vec![0u64; ENTRIES];
    let mut state = divan::black_box(0x9e37_79b9_7f4a_7c15_u64);
    for _ in 0..2_000_000 {
        state ^= state >> 29;
        state = state.wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let entry = &mut table[state as usize % ENTRIES];
        state = state.wrapping_add(*entry);
        *entry ^= state;
    }
    state
}
