// Values of other lanes, in waves of 64.

#define ITEM (__builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x())

__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void lanes(global const uint *in, global uint *out, uint n) {
  uint item = ITEM, a = in[item];
  uint r = __builtin_amdgcn_update_dpp(7, a, 0x112, 0xf, 0xf, false);  // row_shr:2
  r += __builtin_amdgcn_update_dpp(0, a, 0x1b, 0xf, 0xf, true) * 3;     // quad_perm:[3,2,1,0]
  r ^= __builtin_amdgcn_update_dpp(a, a, 0x142, 0xa, 0xf, false) << 1;  // row_bcast:15
  r += __builtin_amdgcn_update_dpp(1, a, 0x140, 0xf, 0x5, false);       // row_mirror
  r ^= __builtin_amdgcn_readfirstlane(a);
  r += __builtin_amdgcn_ds_bpermute((int)(((item * 5) & 63) * 4), a);
  r += __builtin_amdgcn_readlane(a, 17);
  out[item] = r;
}
