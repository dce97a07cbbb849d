; Loads and matrices of RDNA 4.
.p2align 7
; GCN-BEGIN LDS
    ds_load_b64 v[2:3], v0
    s_wait_dscnt 0x0
    v_add_f32_e32 v4, v2, v3
; GCN-END
.p2align 7
; GCN-BEGIN loads ahead
    global_load_b128 v[4:7], v[0:1], off
    global_load_b128 v[8:11], v[0:1], off offset:16
    s_wait_loadcnt 0x1
    v_add_f32_e32 v12, v4, v5
    s_wait_loadcnt 0x0
    v_add_f32_e32 v12, v8, v9
; GCN-END
.p2align 7
; GCN-BEGIN WMMA and vector ALU
    v_wmma_f32_16x16x16_f16 v[32:39], v[0:3], v[8:11], v[32:39]
    v_wmma_f32_16x16x16_f16 v[40:47], v[0:3], v[8:11], v[40:47]
    v_add_f32_e32 v50, v51, v52
; GCN-END
