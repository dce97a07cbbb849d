; Blocks that every CDNA target has. `.p2align 6` starts each at a cache line.
.p2align 6
; GCN-BEGIN valu chain
    v_add_f32_e32 v1, v1, v0
    v_mul_f32_e32 v1, v1, v0
; GCN-END
.p2align 6
; GCN-BEGIN MFMA independent
    v_mfma_f32_16x16x16f16 a[0:3], v[0:1], v[2:3], a[0:3]
    v_mfma_f32_16x16x16f16 a[4:7], v[0:1], v[2:3], a[4:7]
    v_mfma_f32_16x16x16f16 a[8:11], v[0:1], v[2:3], a[8:11]
    v_mfma_f32_16x16x16f16 a[12:15], v[0:1], v[2:3], a[12:15]
; GCN-END
.p2align 6
; GCN-BEGIN MFMA chain
    v_mfma_f32_32x32x8f16 a[0:15], v[0:1], v[2:3], a[0:15]
; GCN-END
.p2align 6
; GCN-BEGIN MFMA and vector ALU
    v_mfma_f32_16x16x16f16 a[0:3], v[0:1], v[2:3], a[0:3]
    v_add_f32_e32 v4, v5, v6
    v_add_f32_e32 v7, v5, v6
    v_exp_f32_e32 v8, v5
; GCN-END
.p2align 6
; GCN-BEGIN LDS read and wait
    ds_read_b64 v[2:3], v0
    s_waitcnt lgkmcnt(0)
    v_add_f32_e32 v4, v2, v3
; GCN-END
.p2align 6
; GCN-BEGIN global load and wait
    global_load_dwordx4 v[4:7], v[0:1], off
    global_load_dwordx4 v[8:11], v[0:1], off offset:16
    s_waitcnt vmcnt(1)
    v_add_f32_e32 v12, v4, v5
    s_waitcnt vmcnt(0)
    v_add_f32_e32 v12, v8, v9
; GCN-END
.p2align 6
; GCN-BEGIN scalar
    s_add_u32 s0, s0, s1
    s_addc_u32 s2, s2, s3
    v_mov_b32_e32 v1, s2
    s_nop 3
; GCN-END
