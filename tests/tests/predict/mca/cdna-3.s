; Double precision of CDNA 3 and 4.
.p2align 6
; GCN-BEGIN fma f64 chain
    v_fma_f64 v[2:3], v[2:3], v[0:1], v[0:1]
    v_fma_f64 v[2:3], v[2:3], v[0:1], v[0:1]
; GCN-END
