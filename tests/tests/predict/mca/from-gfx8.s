; Blocks of GCN 1.2 and later.
.p2align 6
; GCN-BEGIN shifts of 64 bits
    v_lshlrev_b64 v[2:3], v0, v[4:5]
    v_lshrrev_b64 v[6:7], v0, v[2:3]
    v_ashrrev_i64 v[8:9], v0, v[4:5]
; GCN-END
.p2align 6
; GCN-BEGIN half precision
    v_add_f16_e32 v1, v0, v0
    v_rcp_f16_e32 v2, v1
    v_fma_f16 v3, v2, v1, v0
; GCN-END
.p2align 6
; GCN-BEGIN LDS permutation
    ds_bpermute_b32 v1, v0, v2
    s_waitcnt lgkmcnt(0)
; GCN-END
    s_endpgm
