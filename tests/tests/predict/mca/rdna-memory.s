; Loads of RDNA 1 to 3.
.p2align 7
; GCN-BEGIN LDS
    ds_read_b64 v[2:3], v0
    s_waitcnt lgkmcnt(0)
    v_add_f32_e32 v4, v2, v3
; GCN-END
.p2align 7
; GCN-BEGIN loads ahead
    global_load_dwordx4 v[4:7], v[0:1], off
    global_load_dwordx4 v[8:11], v[0:1], off offset:16
    s_waitcnt vmcnt(1)
    v_add_f32_e32 v12, v4, v5
    s_waitcnt vmcnt(0)
    v_add_f32_e32 v12, v8, v9
; GCN-END
