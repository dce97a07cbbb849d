; Dual issue of RDNA 3 and 4.
.p2align 7
; GCN-BEGIN dual issue
    v_dual_add_f32 v1, v0, v2 :: v_dual_mul_f32 v4, v3, v5
    v_dual_add_f32 v6, v0, v2 :: v_dual_mul_f32 v7, v3, v5
; GCN-END
