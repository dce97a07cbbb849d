; Blocks that every RDNA target has. `.p2align 7` starts each at a cache line.
.p2align 7
; GCN-BEGIN valu independent
    v_add_f32_e32 v1, v0, v0
    v_mul_f32_e32 v2, v0, v0
    v_fma_f32 v3, v0, v0, v0
; GCN-END
.p2align 7
; GCN-BEGIN valu chain
    v_add_f32_e32 v1, v1, v0
    v_mul_f32_e32 v1, v1, v0
    v_fma_f32 v1, v1, v0, v0
; GCN-END
.p2align 7
; GCN-BEGIN transcendental independent
    v_rcp_f32_e32 v1, v0
    v_exp_f32_e32 v2, v0
    v_add_f32_e32 v3, v0, v0
; GCN-END
.p2align 7
; GCN-BEGIN transcendental chain
    v_rcp_f32_e32 v1, v1
    v_mul_f32_e32 v1, v1, v0
; GCN-END
.p2align 7
; GCN-BEGIN f64 independent
    v_fma_f64 v[2:3], v[0:1], v[0:1], v[0:1]
    v_fma_f64 v[4:5], v[0:1], v[0:1], v[0:1]
; GCN-END
.p2align 7
; GCN-BEGIN f64 chain
    v_add_f64 v[2:3], v[2:3], v[0:1]
    v_add_f64 v[2:3], v[2:3], v[0:1]
; GCN-END
.p2align 7
; GCN-BEGIN integer products
    v_mul_lo_u32 v1, v0, v0
    v_mul_hi_u32 v2, v1, v0
    v_mad_u64_u32 v[4:5], vcc_lo, v0, v0, v[6:7]
; GCN-END
.p2align 7
; GCN-BEGIN scalar chain
    s_add_u32 s0, s0, s1
    s_addc_u32 s2, s2, s3
    s_mul_i32 s4, s0, s2
    s_lshl_b32 s0, s4, 2
; GCN-END
.p2align 7
; GCN-BEGIN scalar to vector and back
    s_add_u32 s0, s0, s1
    v_mul_f32_e32 v1, s0, v0
    v_readfirstlane_b32 s0, v1
; GCN-END
.p2align 7
; GCN-BEGIN s_nop and clause
    v_add_f32_e32 v1, v0, v0
    s_nop 3
    v_add_f32_e32 v2, v1, v0
; GCN-END
