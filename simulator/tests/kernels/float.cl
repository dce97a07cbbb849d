// Floating point: single, double and half precision.

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define ITEM (__builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x())

__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void polynomial(global const float *in, global float *out, uint n) {
  float x = in[ITEM];
  float y = 0.25f;
  y = y * x + 1.5f;
  y = y * x - 0.75f;
  y = y * x + 3.0f;
  out[ITEM] = y;
}

__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void fused(global const float *in, global float *out, uint n) {
  float x = in[ITEM], z = in[ITEM ^ 1];
  float y = __builtin_fmaf(x, z, 0.1f);
  y = __builtin_fmaf(y, x, -z);
  out[ITEM] = y;
}

__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void sum(global const float *in, global float *out, uint n) {
  float x = in[ITEM], z = in[ITEM ^ 1];
  out[ITEM] = (x + z) * (x - z);
}

__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void extremes(global const float *in, global uint *out, uint n) {
  float x = in[ITEM], z = in[ITEM ^ 1];
  uint r = 0;
  r |= x < z ? 1 : 0;
  r |= x <= z ? 2 : 0;
  r |= x == z ? 4 : 0;
  r |= x != z ? 8 : 0;
  r |= !(x >= z) ? 16 : 0;
  r |= __builtin_isunordered(x, z) ? 32 : 0;
  r |= __builtin_isnan(x) ? 64 : 0;
  out[ITEM] = r;
}

__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void rounding(global const float *in, global float *out, uint n) {
  float x = in[ITEM];
  float y = __builtin_floorf(x);
  switch (ITEM & 3) {
  case 1: y = __builtin_ceilf(x); break;
  case 2: y = __builtin_truncf(x); break;
  case 3: y = __builtin_rintf(x); break;
  }
  out[ITEM] = __builtin_fabsf(y) - __builtin_copysignf(0.5f, x);
}

__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void conversions(global const uint *in, global uint *out, uint n) {
  uint a = in[ITEM];
  float f = (float)a, g = (float)(int)a;
  double d = (double)a, e = (double)(int)a;
  uint r = __builtin_astype(f, uint) ^ (__builtin_astype(g, uint) << 1);
  ulong w = __builtin_astype(d, ulong) + __builtin_astype(e * 0.5, ulong);
  r += (uint)w ^ (uint)(w >> 32);
  r ^= (uint)(float)(a >> 9) + (uint)(int)(g * 0.001f) + (uint)(double)(a >> 1);
  r += __builtin_astype((float)(d * 1.1), uint);
  out[ITEM] = r;
}

__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void dot(global const double *in, global double *out, uint n) {
  double a = 0, b = 1;
  for (uint i = 0; i < 8; i++) {
    double x = in[(ITEM + i) & 127], y = in[(ITEM * 3 + i) & 127];
    a = a + x * y;
    b = __builtin_fma(x, y, b);
  }
  out[ITEM] = a - b;
}

__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void halves(global const half *in, global half *out, uint n) {
  half x = in[ITEM], y = in[ITEM ^ 1];
  half z = x * y + x;
  z = z - y * (half)0.5f;
  if (x < y)
    z = -z;
  out[ITEM] = z;
}

typedef half half2 __attribute__((ext_vector_type(2)));

__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void packed(global const half2 *in, global half2 *out, uint n) {
  half2 x = in[ITEM], y = in[ITEM ^ 1];
  out[ITEM] = (x + y) * x - y.yx;
}

// Its bits are in no manual.
__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void approximate(global const float *in, global float *out, uint n) {
  out[ITEM] = __builtin_amdgcn_rcpf(in[ITEM]);
}
