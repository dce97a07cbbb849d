// Values of other lanes, in waves of 32 or 64.

#define ITEM (__builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x())

__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void lanes(global const uint *in, global uint *out, uint n) {
  uint item = ITEM, a = in[item];
  uint r = __builtin_amdgcn_update_dpp(7, a, 0x112, 0xf, 0xf, false);  // row_shr:2
  r += __builtin_amdgcn_update_dpp(0, a, 0x1b, 0xf, 0xf, true) * 3;     // quad_perm:[3,2,1,0]
  r ^= __builtin_amdgcn_update_dpp(a, a, 0x155, 0xa, 0xf, false) << 1;  // row_share:5
  r += __builtin_amdgcn_update_dpp(1, a, 0x169, 0xf, 0x5, false);       // row_xmask:9
  r ^= __builtin_amdgcn_mov_dpp8(a, 0x1d58f1) * 5;    // lanes 1, 6, 3, 4, 5, 2, 7, 0 of eight
  r += __builtin_amdgcn_permlane16(a, a, 0x76543210, 0xfedcba98, false, false) * 7;
  r ^= __builtin_amdgcn_permlane16(a, a, 0x13579bdf, 0x02468ace, false, false);
  r += __builtin_amdgcn_permlanex16(a, a, 0x0f1e2d3c, 0x4b5a6978, false, false) * 11;
  r ^= __builtin_amdgcn_readfirstlane(a);
  r += __builtin_amdgcn_ds_bpermute((int)(((item * 5) & 31) * 4), a);
  r += __builtin_amdgcn_readlane(a, 17);
  out[item] = r;
}

// Of lanes that are switched off: what was there before, or zeros.
__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void inactive(global const uint *in, global uint *out, uint n) {
  uint item = ITEM, a = in[item], r = 1000;
  if (a & 4) {
    r = __builtin_amdgcn_permlane16(5, a, 0x67452301, 0xefcdab89, false, false);
    r ^= __builtin_amdgcn_permlanex16(5, a, 0x67452301, 0xefcdab89, false, true) << 2;
    r += __builtin_amdgcn_update_dpp(9, a, 0x161, 0xf, 0xf, false);
    r += __builtin_amdgcn_update_dpp(9, a, 0x161, 0xf, 0xf, true) * 3;
    r += __builtin_amdgcn_mov_dpp8(a, 0xde54c1) * 5;  // the neighbour of each pair
  }
  out[item] = r;
}
