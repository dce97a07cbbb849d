; Matrices of RDNA 3.
.p2align 7
; GCN-BEGIN WMMA and vector ALU
    v_wmma_f32_16x16x16_f16 v[32:39], v[0:7], v[8:15], v[32:39]
    v_wmma_f32_16x16x16_f16 v[40:47], v[0:7], v[8:15], v[40:47]
    v_add_f32_e32 v50, v51, v52
; GCN-END
