; Blocks of Vega 20.
.p2align 6
; GCN-BEGIN dot products
    v_dot4_i32_i8 v1, v0, v2, v1
    v_dot2_f32_f16 v3, v0, v2, v3
    v_fmac_f32_e32 v4, v0, v2
; GCN-END
    s_endpgm
