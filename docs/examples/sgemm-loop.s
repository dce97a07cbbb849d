; The inner loop of a matrix product: each lane multiplies 4 x 4 values that lie in LDS.
.Lnext_k:
    ds_read_b64     v[2:3], v0                  ; 4 values of A
    ds_read_b64     v[4:5], v0 offset:8
    ds_read_b64     v[6:7], v1                  ; 4 values of B
    ds_read_b64     v[8:9], v1 offset:8
    v_add_u32_e32   v0, vcc, 0x100, v0          ; to the next k
    v_add_u32_e32   v1, vcc, 0x100, v1
    s_waitcnt       lgkmcnt(0)
    v_mac_f32_e32   v10, v2, v6
    v_mac_f32_e32   v11, v2, v7
    v_mac_f32_e32   v12, v2, v8
    v_mac_f32_e32   v13, v2, v9
    v_mac_f32_e32   v14, v3, v6
    v_mac_f32_e32   v15, v3, v7
    v_mac_f32_e32   v16, v3, v8
    v_mac_f32_e32   v17, v3, v9
    v_mac_f32_e32   v18, v4, v6
    v_mac_f32_e32   v19, v4, v7
    v_mac_f32_e32   v20, v4, v8
    v_mac_f32_e32   v21, v4, v9
    v_mac_f32_e32   v22, v5, v6
    v_mac_f32_e32   v23, v5, v7
    v_mac_f32_e32   v24, v5, v8
    v_mac_f32_e32   v25, v5, v9
    s_sub_u32       s0, s0, 1
    s_cmp_lg_u32    s0, 0
    s_cbranch_scc1  .Lnext_k
