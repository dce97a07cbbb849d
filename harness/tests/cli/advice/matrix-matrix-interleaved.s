; matrix.s: a vector instruction after each of the first matrix instructions.
.Lnext_k:
	global_load_dwordx4 v[16:19], v[4:5], off
	ds_read_b128 v[8:11], v2
	ds_read_b128 v[12:15], v3
	v_lshl_add_u64 v[4:5], v[4:5], 0, s[4:5]
	s_waitcnt lgkmcnt(0)
	v_mfma_f32_16x16x16_f16 a[0:3], v[8:9], v[12:13], a[0:3]
	v_mul_f32_e32 v20, v20, v24
	v_mfma_f32_16x16x16_f16 a[0:3], v[10:11], v[14:15], a[0:3]
	v_mul_f32_e32 v21, v21, v24
	v_mfma_f32_16x16x16_f16 a[4:7], v[8:9], v[14:15], a[4:7]
	v_mul_f32_e32 v22, v22, v24
	v_mfma_f32_16x16x16_f16 a[4:7], v[10:11], v[12:13], a[4:7]
	v_mul_f32_e32 v23, v23, v24
	v_mfma_f32_16x16x16_f16 a[8:11], v[12:13], v[14:15], a[8:11]
	v_mfma_f32_16x16x16_f16 a[8:11], v[14:15], v[12:13], a[8:11]
	s_waitcnt vmcnt(0)
	ds_write_b128 v6, v[16:19]
	s_waitcnt lgkmcnt(0)
	s_barrier
	s_add_i32 s6, s6, -1
	s_cmp_lg_u32 s6, 0
	s_cbranch_scc1 .Lnext_k
