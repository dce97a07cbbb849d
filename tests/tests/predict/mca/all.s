; Blocks that every target has, each with a cause of differences to llvm-mca. `.p2align 6` starts each at a cache line.
.p2align 6
; GCN-BEGIN valu independent
    v_mul_f32_e32 v1, v0, v0
    v_mul_f32_e32 v2, v0, v0
    v_mul_f32_e32 v3, v0, v0
; GCN-END
.p2align 6
; GCN-BEGIN valu chain
    v_mul_f32_e32 v1, v1, v0
    v_mac_f32_e32 v1, v1, v0
; GCN-END
.p2align 6
; GCN-BEGIN valu with literal
    v_mul_f32_e32 v1, 0x3fc00000, v0
    v_mul_f32_e32 v2, 0x3fc00000, v0
    v_mul_f32_e32 v3, 0x3fc00000, v0
    v_mul_f32_e32 v4, 0x3fc00000, v0
; GCN-END
.p2align 6
; GCN-BEGIN VOP3
    v_fma_f32 v1, v0, v0, v0
    v_mad_f32 v2, v0, v0, v1
    v_bfe_u32 v3, v2, v0, v1
    v_med3_f32 v4, v3, v0, v1
    v_alignbit_b32 v5, v4, v0, v1
; GCN-END
.p2align 6
; GCN-BEGIN rcp independent
    v_rcp_f32_e32 v1, v0
    v_rcp_f32_e32 v2, v0
; GCN-END
.p2align 6
; GCN-BEGIN rcp chain
    v_rcp_f32_e32 v1, v1
    v_mul_f32_e32 v1, v1, v0
; GCN-END
.p2align 6
; GCN-BEGIN sqrt, sin, exp, log
    v_sqrt_f32_e32 v1, v0
    v_sin_f32_e32 v2, v1
    v_exp_f32_e32 v3, v2
    v_log_f32_e32 v4, v3
; GCN-END
.p2align 6
; GCN-BEGIN integer products
    v_mul_lo_u32 v1, v0, v0
    v_mul_hi_u32 v2, v0, v0
    v_mul_u32_u24_e32 v3, v0, v0
; GCN-END
.p2align 6
; GCN-BEGIN conversions
    v_cvt_f32_i32_e32 v1, v0
    v_cvt_u32_f32_e32 v2, v1
    v_cvt_f16_f32_e32 v3, v1
; GCN-END
.p2align 6
; GCN-BEGIN add f64 independent
    v_add_f64 v[2:3], v[0:1], v[0:1]
    v_add_f64 v[4:5], v[0:1], v[0:1]
; GCN-END
.p2align 6
; GCN-BEGIN add f64 chain
    v_add_f64 v[2:3], v[2:3], v[0:1]
    v_add_f64 v[2:3], v[2:3], v[0:1]
; GCN-END
.p2align 6
; GCN-BEGIN fma f64
    v_fma_f64 v[2:3], v[0:1], v[0:1], v[2:3]
    v_mul_f64 v[4:5], v[2:3], v[0:1]
; GCN-END
.p2align 6
; GCN-BEGIN rcp f64
    v_rcp_f64_e32 v[2:3], v[0:1]
    v_sqrt_f64_e32 v[4:5], v[2:3]
; GCN-END
.p2align 6
; GCN-BEGIN f64 compare and convert
    v_cmp_gt_f64_e32 vcc, v[0:1], v[2:3]
    v_cvt_f32_f64_e32 v4, v[0:1]
    v_cvt_f64_f32_e32 v[6:7], v4
; GCN-END
.p2align 6
; GCN-BEGIN division
    v_div_scale_f32 v1, vcc, v0, v2, v0
    v_rcp_f32_e32 v3, v1
    v_fma_f32 v4, v3, v1, v3
    v_div_fmas_f32 v5, v4, v3, v1
    v_div_fixup_f32 v6, v5, v2, v0
; GCN-END
.p2align 6
; GCN-BEGIN compare and select
    v_cmp_gt_f32_e32 vcc, v0, v1
    v_cndmask_b32_e32 v2, v0, v1, vcc
; GCN-END
.p2align 6
; GCN-BEGIN readfirstlane
    v_readfirstlane_b32 s0, v0
    s_add_u32 s1, s0, s0
    v_readlane_b32 s2, v0, 3
    v_writelane_b32 v1, s2, 4
; GCN-END
.p2align 6
; GCN-BEGIN salu
    s_add_u32 s0, s1, s2
    s_addc_u32 s3, s0, s2
    s_mul_i32 s4, s3, s0
    s_lshl_b64 s[6:7], s[4:5], 3
; GCN-END
.p2align 6
; GCN-BEGIN salu compare and select
    s_cmp_lg_u32 s0, 0
    s_cselect_b32 s1, s2, s3
    s_and_b64 exec, exec, s[4:5]
; GCN-END
.p2align 6
; GCN-BEGIN salu with literal
    s_add_u32 s0, s1, 0x12345
    s_mov_b32 s2, 0x54321
    s_and_b32 s3, s0, 0x11111
; GCN-END
.p2align 6
; GCN-BEGIN salu and valu
    s_add_u32 s0, s1, s2
    v_mov_b32_e32 v0, s0
    s_add_u32 s3, s1, s2
    v_add_f32_e32 v1, s3, v0
; GCN-END
.p2align 6
; GCN-BEGIN s_nop
    s_nop 7
    v_mov_b32_e32 v1, v0
    s_nop 0
; GCN-END
.p2align 6
; GCN-BEGIN s_sleep
    s_sleep 1
    v_mov_b32_e32 v1, v0
    s_sleep 3
; GCN-END
.p2align 6
; GCN-BEGIN s_barrier
    v_mov_b32_e32 v1, v0
    s_barrier
    v_mov_b32_e32 v2, v0
; GCN-END
.p2align 6
; GCN-BEGIN priority and mode
    s_setprio 1
    s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 4), 0
    s_setprio 0
; GCN-END
.p2align 6
; GCN-BEGIN LDS read
    ds_read_b32 v1, v0
    s_waitcnt lgkmcnt(0)
    v_add_f32_e32 v2, v1, v1
; GCN-END
.p2align 6
; GCN-BEGIN LDS reads behind each other
    ds_read_b64 v[2:3], v0
    ds_read_b64 v[4:5], v0 offset:8
    ds_read2_b32 v[6:7], v0 offset0:1 offset1:2
    s_waitcnt lgkmcnt(0)
; GCN-END
.p2align 6
; GCN-BEGIN LDS writes
    ds_write_b32 v0, v1
    ds_write_b64 v0, v[2:3]
    s_waitcnt lgkmcnt(0)
; GCN-END
.p2align 6
; GCN-BEGIN LDS atomic and swizzle
    ds_add_rtn_u32 v1, v0, v2
    ds_swizzle_b32 v3, v0 offset:swizzle(SWAP,1)
    s_waitcnt lgkmcnt(0)
; GCN-END
.p2align 6
; GCN-BEGIN LDS read that is not awaited
    ds_read_b32 v1, v0
    v_mul_f32_e32 v2, v0, v0
; GCN-END
.p2align 6
; GCN-BEGIN buffer load
    buffer_load_dword v1, v0, s[0:3], 0 offen
    s_waitcnt vmcnt(0)
    v_add_f32_e32 v2, v1, v1
; GCN-END
.p2align 6
; GCN-BEGIN buffer loads in order
    buffer_load_dword v1, v0, s[0:3], 0 offen
    buffer_load_dwordx4 v[4:7], v0, s[0:3], 0 offen
    s_waitcnt vmcnt(1)
    v_add_f32_e32 v2, v1, v1
    s_waitcnt vmcnt(0)
    v_add_f32_e32 v2, v4, v4
; GCN-END
.p2align 6
; GCN-BEGIN buffer load one iteration ahead
    s_waitcnt vmcnt(0)
    v_add_f32_e32 v2, v1, v1
    buffer_load_dword v1, v0, s[0:3], 0 offen
    v_mul_f32_e32 v3, v2, v2
; GCN-END
.p2align 6
; GCN-BEGIN buffer store
    buffer_store_dword v1, v0, s[0:3], 0 offen
    v_mul_f32_e32 v3, v2, v2
; GCN-END
.p2align 6
; GCN-BEGIN buffer atomic
    buffer_atomic_add v1, v0, s[0:3], 0 offen glc
    s_waitcnt vmcnt(0)
; GCN-END
.p2align 6
; GCN-BEGIN typed buffer load
    tbuffer_load_format_x v1, off, s[0:3], 0 format:4
    s_waitcnt vmcnt(0)
; GCN-END
.p2align 6
; GCN-BEGIN scalar load
    s_load_dword s0, s[2:3], 0x0
    s_waitcnt lgkmcnt(0)
    s_add_u32 s1, s0, s0
; GCN-END
.p2align 6
; GCN-BEGIN scalar loads
    s_load_dwordx4 s[8:11], s[2:3], 0x0
    s_buffer_load_dwordx2 s[12:13], s[4:7], 0x0
    s_waitcnt lgkmcnt(0)
; GCN-END
.p2align 6
; GCN-BEGIN s_memtime
    s_memtime s[0:1]
    s_waitcnt lgkmcnt(0)
; GCN-END
.p2align 6
; GCN-BEGIN all memories
    s_load_dword s0, s[2:3], 0x0
    ds_read_b32 v1, v0
    buffer_load_dword v2, v0, s[4:7], 0 offen
    s_waitcnt vmcnt(0) lgkmcnt(0)
    v_mac_f32_e32 v3, v1, v2
; GCN-END
.p2align 6
; GCN-BEGIN counted loop
.Lcounted:
    v_mac_f32_e32 v1, v0, v0
    s_sub_u32 s0, s0, 1
    s_cmp_lg_u32 s0, 0
    s_cbranch_scc1 .Lcounted
; GCN-END
.p2align 6
; GCN-BEGIN loop of rcp and f64
.Lmixed:
    v_rcp_f32_e32 v1, v0
    v_add_f64 v[2:3], v[4:5], v[4:5]
    v_mul_lo_u32 v6, v0, v0
    s_branch .Lmixed
; GCN-END
.p2align 6
; GCN-BEGIN branch that is not taken
    s_cbranch_vccz .Lbehind
    v_mul_f32_e32 v1, v0, v0
    s_cbranch_execz .Lbehind
    v_mul_f32_e32 v2, v0, v0
; GCN-END
.Lbehind:
    s_endpgm
