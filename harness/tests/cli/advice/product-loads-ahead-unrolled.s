; product.s, unrolled twice: each half stores what the half before has loaded.
.LBB0_1:
	global_load_b128 v[64:67], v[40:41], off
	global_load_b128 v[68:71], v[42:43], off
	ds_load_b128 v[16:19], v48
	ds_load_b128 v[20:23], v48 offset:16
	ds_load_b128 v[24:27], v49
	ds_load_b128 v[28:31], v49 offset:16
	v_add_nc_u32_e32 v48, 0x80, v48
	v_add_nc_u32_e32 v49, 0x80, v49
	v_add_co_u32 v40, vcc_lo, v40, 0x40
	s_delay_alu instid0(VALU_DEP_1)
	v_add_co_ci_u32_e32 v41, vcc_lo, 0, v41, vcc_lo
	s_waitcnt lgkmcnt(2)
	v_dual_fmac_f32 v0, v16, v25 :: v_dual_fmac_f32 v1, v17, v24
	s_waitcnt lgkmcnt(0)
	v_dual_fmac_f32 v2, v18, v25 :: v_dual_fmac_f32 v3, v19, v24
	v_dual_fmac_f32 v4, v20, v25 :: v_dual_fmac_f32 v5, v21, v24
	v_dual_fmac_f32 v6, v22, v25 :: v_dual_fmac_f32 v7, v23, v24
	v_dual_fmac_f32 v8, v16, v27 :: v_dual_fmac_f32 v9, v17, v26
	v_dual_fmac_f32 v10, v18, v27 :: v_dual_fmac_f32 v11, v19, v26
	v_dual_fmac_f32 v12, v20, v27 :: v_dual_fmac_f32 v13, v21, v26
	v_dual_fmac_f32 v14, v22, v27 :: v_dual_fmac_f32 v15, v23, v26
	s_delay_alu instid0(VALU_DEP_1)
	v_fmac_f32_e32 v14, v28, v30
	v_fmac_f32_e32 v15, v29, v31
	s_waitcnt vmcnt(3)
	ds_store_b128 v50, v[72:75]
	s_waitcnt vmcnt(2)
	ds_store_b128 v50, v[76:79] offset:16
	s_waitcnt lgkmcnt(0)
	s_barrier
	s_add_i32 s4, s4, -1
	s_cmp_lg_u32 s4, 0
	global_load_b128 v[72:75], v[40:41], off
	global_load_b128 v[76:79], v[42:43], off
	ds_load_b128 v[16:19], v48
	ds_load_b128 v[20:23], v48 offset:16
	ds_load_b128 v[24:27], v49
	ds_load_b128 v[28:31], v49 offset:16
	v_add_nc_u32_e32 v48, 0x80, v48
	v_add_nc_u32_e32 v49, 0x80, v49
	v_add_co_u32 v40, vcc_lo, v40, 0x40
	s_delay_alu instid0(VALU_DEP_1)
	v_add_co_ci_u32_e32 v41, vcc_lo, 0, v41, vcc_lo
	s_waitcnt lgkmcnt(2)
	v_dual_fmac_f32 v0, v16, v25 :: v_dual_fmac_f32 v1, v17, v24
	s_waitcnt lgkmcnt(0)
	v_dual_fmac_f32 v2, v18, v25 :: v_dual_fmac_f32 v3, v19, v24
	v_dual_fmac_f32 v4, v20, v25 :: v_dual_fmac_f32 v5, v21, v24
	v_dual_fmac_f32 v6, v22, v25 :: v_dual_fmac_f32 v7, v23, v24
	v_dual_fmac_f32 v8, v16, v27 :: v_dual_fmac_f32 v9, v17, v26
	v_dual_fmac_f32 v10, v18, v27 :: v_dual_fmac_f32 v11, v19, v26
	v_dual_fmac_f32 v12, v20, v27 :: v_dual_fmac_f32 v13, v21, v26
	v_dual_fmac_f32 v14, v22, v27 :: v_dual_fmac_f32 v15, v23, v26
	s_delay_alu instid0(VALU_DEP_1)
	v_fmac_f32_e32 v14, v28, v30
	v_fmac_f32_e32 v15, v29, v31
	s_waitcnt vmcnt(3)
	ds_store_b128 v50, v[64:67]
	s_waitcnt vmcnt(2)
	ds_store_b128 v50, v[68:71] offset:16
	s_waitcnt lgkmcnt(0)
	s_barrier
	s_add_i32 s4, s4, -1
	s_cmp_lg_u32 s4, 0
	s_cbranch_scc1 .LBB0_1
