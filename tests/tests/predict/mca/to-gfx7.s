; Blocks of targets before GCN 1.2.
.p2align 6
; GCN-BEGIN shifts of 64 bits
    v_lshl_b64 v[2:3], v[4:5], v0
    v_lshr_b64 v[6:7], v[2:3], v0
    v_ashr_i64 v[8:9], v[4:5], v0
; GCN-END
    s_endpgm
