; The loop of a sum over an array for RDNA 2, with squares of an index that need nothing of memory.
.Lnext:
	global_load_dwordx4 v[4:7], v[0:1], off
	v_add_co_u32 v0, vcc_lo, 0x1000, v0
	v_add_co_ci_u32_e32 v1, vcc_lo, 0, v1, vcc_lo
	s_waitcnt vmcnt(0)
	v_add_f32_e32 v8, v8, v4
	v_add_f32_e32 v8, v8, v5
	v_mul_f32_e32 v9, v10, v10
	v_add_f32_e32 v11, v11, v9
	v_add_f32_e32 v8, v8, v6
	v_add_f32_e32 v8, v8, v7
	v_add_f32_e32 v10, 1.0, v10
	s_add_i32 s6, s6, -1
	s_cmp_lg_u32 s6, 0
	s_cbranch_scc1 .Lnext
