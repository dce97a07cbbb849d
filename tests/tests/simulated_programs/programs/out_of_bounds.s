// Argument: u64 pointer to 4096 bytes. The second group stores 1 TiB behind them.
    .text
    .globl out_of_bounds
    .p2align 8
    .type out_of_bounds,@function
out_of_bounds:
    s_load_b64 s[0:1], s[0:1], 0x0
    s_lshl_b32 s2, s2, 8
    v_mov_b32_e32 v0, 0
    s_waitcnt lgkmcnt(0)
    s_add_u32 s1, s1, s2
    global_store_b32 v0, v0, s[0:1]
    s_endpgm
    .size out_of_bounds, . - out_of_bounds

    .rodata
    .p2align 6
    .amdhsa_kernel out_of_bounds
        .amdhsa_user_sgpr_kernarg_segment_ptr 1
        .amdhsa_kernarg_size 8
        .amdhsa_wavefront_size32 1
        .amdhsa_next_free_vgpr 8
        .amdhsa_next_free_sgpr 8
    .end_amdhsa_kernel

    .amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: out_of_bounds
    .symbol: out_of_bounds.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 32
    .sgpr_count: 16
    .vgpr_count: 8
    .max_flat_workgroup_size: 256
    .args:
      - { .size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global }
...
    .end_amdgpu_metadata
