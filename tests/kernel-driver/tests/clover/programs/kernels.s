// Kernels for the tests, for gfx6 to gfx9, in the form that clover takes: amd_kernel_code_t in front of each. Arguments: u64 pointer to dwords, u32
// value. One group has 64 work-items. Set GENERATION to 6, 7, 8 or 9.

.macro kernel name lds=0
    .text
    .p2align 8
    .globl \name
\name:
    .amd_kernel_code_t
        enable_sgpr_kernarg_segment_ptr = 1
        compute_pgm_rsrc1_vgprs = 3
        compute_pgm_rsrc1_sgprs = 3
        compute_pgm_rsrc1_float_mode = 192
        compute_pgm_rsrc2_user_sgpr = 2
        compute_pgm_rsrc2_tgid_x_en = 1
        compute_pgm_rsrc2_lds_size = \lds
    .end_amd_kernel_code_t
.endm

.macro add to, a, b
.if GENERATION == 9
    v_add_u32_e32 \to, \a, \b
.elseif GENERATION == 8
    v_add_u32_e32 \to, vcc, \a, \b
.else
    v_add_i32_e32 \to, vcc, \a, \b
.endif
.endm

.macro minus to, a, b
    v_mov_b32_e32 v5, \a
.if GENERATION == 9
    v_sub_u32_e32 \to, v5, \b
.elseif GENERATION == 8
    v_sub_u32_e32 \to, vcc, v5, \b
.else
    v_sub_i32_e32 \to, vcc, v5, \b
.endif
.endm

// s[4:7] the buffer, s8 the value, v1 the offset of the work-item's dword.
.macro arguments
    s_load_dwordx2 s[4:5], s[0:1], 0x0
.if GENERATION >= 8
    s_load_dword s8, s[0:1], 0x8
.else
    s_load_dword s8, s[0:1], 0x2
.endif
    s_mov_b32 s6, -1
    s_mov_b32 s7, 0xf000
    s_lshl_b32 s2, s2, 6
    add v1, s2, v0
    v_lshlrev_b32_e32 v1, 2, v1
    s_waitcnt lgkmcnt(0)
.endm

// Adds the value to each work-item's dword. Clover wants the first kernel at the start of the text.
kernel plus
    arguments
    buffer_load_dword v2, v1, s[4:7], 0 offen
    s_waitcnt vmcnt(0)
    add v2, s8, v2
    buffer_store_dword v2, v1, s[4:7], 0 offen
    s_endpgm

// Turns the dwords of each group round by way of 256 bytes of LDS: one block of gfx6 or later.
kernel turn 1
    arguments
    s_mov_b32 m0, -1
    buffer_load_dword v2, v1, s[4:7], 0 offen
    v_lshlrev_b32_e32 v3, 2, v0
    minus v4, 252, v3
    s_waitcnt vmcnt(0)
    ds_write_b32 v3, v2
    s_waitcnt lgkmcnt(0)
    s_barrier
    ds_read_b32 v2, v4
    s_waitcnt lgkmcnt(0)
    buffer_store_dword v2, v1, s[4:7], 0 offen
    s_endpgm

// Puts the card's clock into the first two dwords of each group.
kernel clock
    arguments
    s_memtime s[10:11]
    v_cmp_eq_u32_e32 vcc, 0, v0
    s_and_b64 exec, exec, vcc
    s_waitcnt lgkmcnt(0)
    v_mov_b32_e32 v2, s10
    v_mov_b32_e32 v3, s11
    buffer_store_dwordx2 v[2:3], v1, s[4:7], 0 offen
    s_endpgm

// Never ends.
kernel endless
0:  s_sleep 1
    s_branch 0b

// No instruction of any generation.
kernel illegal
    .long 0xffffffff

// Writes where nothing is.
kernel wild
    arguments
    s_mov_b32 s4, 0x12345000
    s_mov_b32 s5, 0xf
    buffer_store_dword v0, v1, s[4:7], 0 offen
    s_endpgm
