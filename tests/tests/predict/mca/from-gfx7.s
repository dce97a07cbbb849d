; Blocks of targets with FLAT.
.p2align 6
; GCN-BEGIN flat load
    flat_load_dword v1, v[2:3]
    s_waitcnt vmcnt(0) lgkmcnt(0)
    v_add_f32_e32 v4, v1, v1
; GCN-END
.p2align 6
; GCN-BEGIN flat store
    flat_store_dword v[2:3], v1
    v_mul_f32_e32 v4, v5, v5
; GCN-END
.p2align 6
; GCN-BEGIN wide LDS read
    ds_read_b128 v[4:7], v0
    s_waitcnt lgkmcnt(0)
; GCN-END
    s_endpgm
