; Blocks of GCN 1.4.
.p2align 6
; GCN-BEGIN global load
    global_load_dword v1, v[2:3], off
    s_waitcnt vmcnt(0)
    v_add_f32_e32 v4, v1, v1
; GCN-END
.p2align 6
; GCN-BEGIN packed half precision
    v_pk_fma_f16 v1, v0, v0, v0
    v_pk_add_f16 v2, v1, v0
; GCN-END
.p2align 6
; GCN-BEGIN three operands
    v_add3_u32 v1, v0, v2, v3
    v_lshl_add_u32 v2, v1, 2, v0
    v_mad_u64_u32 v[4:5], vcc, v0, v1, v[6:7]
; GCN-END
    s_endpgm
