// Moving memory: grids, LDS, scratch, calls, atomics, pointers of any address space.

#define ITEM (__builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x())

__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void copy(global const uint *in, global uint *out, uint n) {
  uint i = ITEM;
  if (i < n)
    out[i] = in[i];
}

__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void fill(global const uint *in, global uint *out, uint n) {
  out[ITEM] = n;
}

__attribute__((reqd_work_group_size(256, 1, 1)))
kernel void reduce(global const uint *in, global uint *out, uint n) {
  local uint sums[256];
  uint item = __builtin_amdgcn_workitem_id_x(), group = __builtin_amdgcn_workgroup_id_x();
  sums[item] = in[group * 256 + item];
  for (uint step = 128; step > 0; step /= 2) {
    __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup");
    __builtin_amdgcn_s_barrier();
    if (item < step)
      sums[item] += sums[item + step];
  }
  if (item == 0)
    out[group] = sums[0];
}

__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void scratch(global const uint *in, global uint *out, uint n) {
  uint values[16];
  uint item = ITEM;
  for (uint i = 0; i < 16; i++)
    values[i] = in[item] * (i + 1);
  uint sum = 0;
  for (uint i = 0; i < 8; i++)
    sum = sum * 31 + values[(in[item] >> i) & 15];
  out[item] = sum;
}

__attribute__((noinline)) static uint mixed(uint a, uint b) {
  return (a ^ (b << 7)) * 0x9e3779b1u + (b >> 3);
}

__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void calls(global const uint *in, global uint *out, uint n) {
  uint item = ITEM;
  out[item] = mixed(mixed(in[item], item), n);
}

__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void bytes(global const uchar *in, global uchar *out, uint n) {
  uint item = ITEM;
  for (uint i = 0; i < 4; i++)
    out[item * 4 + i] = (uchar)(in[item * 4 + (3 - i)] * 3 + i);
}

__attribute__((reqd_work_group_size(8, 4, 2)))
kernel void grid(global const uint *in, global uint *out, uint n) {
  uint x = __builtin_amdgcn_workgroup_id_x() * 8 + __builtin_amdgcn_workitem_id_x();
  uint y = __builtin_amdgcn_workgroup_id_y() * 4 + __builtin_amdgcn_workitem_id_y();
  uint z = __builtin_amdgcn_workgroup_id_z() * 2 + __builtin_amdgcn_workitem_id_z();
  out[(z * 10 + y) * 20 + x] = x + 100 * y + 10000 * z + in[x];
}

__attribute__((noinline)) static uint through(const uint *p) { return *p + 1; }

__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void generic_pointers(global const uint *in, global uint *out, uint n) {
  local uint shared[64];
  uint own[4];
  uint item = ITEM, lane = item % 64;
  shared[lane] = in[item] ^ 0x55555555u;
  for (uint i = 0; i < 4; i++)
    own[i] = in[item] + i;
  const uint *p = (const uint *)&shared[lane];
  if (in[item] % 3 == 1)
    p = (const uint *)&own[in[item] & 3];
  if (in[item] % 3 == 2)
    p = (const uint *)&in[item];
  out[item] = through(p);
}
