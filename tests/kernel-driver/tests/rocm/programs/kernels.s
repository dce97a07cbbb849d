// Kernels for the tests, for gfx8 and gfx9; arguments: u64 pointer to dwords, u32 value. One group of 64 has 256 bytes.

.macro kernel name
    .text
    .p2align 8
    .globl \name
    .type \name,@function
\name:
.endm

.macro endkernel name
    s_endpgm
    .size \name, . - \name
    .rodata
    .p2align 6
    .amdhsa_kernel \name
        .amdhsa_user_sgpr_kernarg_segment_ptr 1
        .amdhsa_next_free_vgpr 8
        .amdhsa_next_free_sgpr 16
    .end_amdhsa_kernel
.endm

// Adds the value to each work-item's dword.
kernel add
    s_load_dwordx2 s[4:5], s[0:1], 0x0
    s_load_dword s6, s[0:1], 0x8
    s_lshl_b32 s2, s2, 8
    s_waitcnt lgkmcnt(0)
    s_add_u32 s4, s4, s2
    s_addc_u32 s5, s5, 0
    v_lshlrev_b32_e32 v1, 2, v0
    v_or_b32_e32 v2, s4, v1
    v_mov_b32_e32 v3, s5
    flat_load_dword v4, v[2:3]
    s_waitcnt vmcnt(0) & lgkmcnt(0)
.if .amdgcn.gfx_generation_number == 8
    v_add_u32_e32 v4, vcc, s6, v4
.else
    v_add_co_u32_e32 v4, vcc, s6, v4
.endif
    flat_store_dword v[2:3], v4
endkernel add

// Never ends.
kernel endless
0:  s_sleep 1
    s_branch 0b
endkernel endless

// No instruction of any generation.
kernel illegal
    .long 0xffffffff
endkernel illegal

// An instruction that a card has and the simulator has not.
kernel unmodelled
    s_cbranch_join s4
endkernel unmodelled

.amdgpu_metadata
---
amdhsa.version: [1, 1]
amdhsa.kernels:
  - { .name: add, .symbol: add.kd, .kernarg_segment_size: 16, .kernarg_segment_align: 8, .group_segment_fixed_size: 0, .private_segment_fixed_size: 0, .wavefront_size: 64, .sgpr_count: 16, .vgpr_count: 8, .max_flat_workgroup_size: 256, .args: [{ .size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global }, { .size: 4, .offset: 8, .value_kind: by_value }] }
  - { .name: endless, .symbol: endless.kd, .kernarg_segment_size: 16, .kernarg_segment_align: 8, .group_segment_fixed_size: 0, .private_segment_fixed_size: 0, .wavefront_size: 64, .sgpr_count: 16, .vgpr_count: 8, .max_flat_workgroup_size: 256, .args: [{ .size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global }, { .size: 4, .offset: 8, .value_kind: by_value }] }
  - { .name: illegal, .symbol: illegal.kd, .kernarg_segment_size: 16, .kernarg_segment_align: 8, .group_segment_fixed_size: 0, .private_segment_fixed_size: 0, .wavefront_size: 64, .sgpr_count: 16, .vgpr_count: 8, .max_flat_workgroup_size: 256, .args: [{ .size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global }, { .size: 4, .offset: 8, .value_kind: by_value }] }
  - { .name: unmodelled, .symbol: unmodelled.kd, .kernarg_segment_size: 16, .kernarg_segment_align: 8, .group_segment_fixed_size: 0, .private_segment_fixed_size: 0, .wavefront_size: 64, .sgpr_count: 16, .vgpr_count: 8, .max_flat_workgroup_size: 256, .args: [{ .size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global }, { .size: 4, .offset: 8, .value_kind: by_value }] }
...
.end_amdgpu_metadata
