// Integer arithmetic and control flow.

#define ITEM (__builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x())

__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void hash(global const uint *in, global uint *out, uint n) {
  ulong h = 0xcbf29ce484222325ul ^ in[ITEM];
  for (uint i = 0; i < 5; i++) {
    h *= 0x100000001b3ul + i;
    h = (h << 13) | (h >> 51);
    h ^= h >> 29;
    h += 0x9e3779b97f4a7c15ul;
  }
  out[ITEM] = (uint)h ^ (uint)(h >> 32);
}

__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void divide(global const uint *in, global uint *out, uint n) {
  uint item = ITEM, a = in[item], b = in[item ^ 1] >> (item & 31);
  b = b ? b : 7;
  int c = (int)in[item ^ 2] >> (item & 15);
  c = c ? c : -3;
  uint q = a / b, r = a % b;
  int s = (int)a / c, t = (int)a % c;
  out[item] = q ^ (r << 1) ^ (uint)(s * 3) ^ (uint)(t * 5) ^ (a / 10) ^ (uint)((int)a / 1000);
}

__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void diverge(global const uint *in, global uint *out, uint n) {
  uint item = ITEM, value = in[item] % 1000 + 1, steps = 0;
  while (value != 1 && steps < 200) {
    if (value & 1)
      value = 3 * value + 1;
    else
      value >>= 1;
    if (steps == 150 && (item & 1))
      break;
    steps++;
  }
  switch (in[item] & 3) {
  case 0: steps += 1000; break;
  case 1: steps *= 3; break;
  case 2: steps ^= 0xff00; break;
  default: break;
  }
  out[item] = steps;
}

__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void bits(global const uint *in, global uint *out, uint n) {
  uint item = ITEM, a = in[item], b = in[item ^ 1];
  int sa = (int)a, sb = (int)b;
  ulong w = ((ulong)a << 32) | b;
  long sw = (long)w;
  uint r = __builtin_popcount(a) + (a ? __builtin_clz(a) : 32) * 3 + (b ? __builtin_ctz(b) : 32) * 5;
  r ^= __builtin_bitreverse32(b);
  r += (a >> 7) & 0x1f;
  r ^= (uint)((sa << 9) >> 20);
  r += (uint)(sa < sb ? sa : sb) ^ (uint)(a > b ? a : b);
  r ^= (uint)(w >> (a & 63)) + (uint)(sw >> (b & 63)) + (uint)((w << (a & 31)) >> 32);
  r += (uint)(((ulong)a * b) >> 32) ^ (uint)(((long)sa * sb) >> 32);
  r ^= (a << 11) | (a >> 21);
  r += (sw < 0x1234567890l) ? 17 : 3;
  r ^= (w > 0x8000000000000000ul) ? 0x10000 : 0;
  r += (uint)__builtin_abs(sa | 1);
  uint carry = a + b < a;
  out[item] = r - carry;
}

__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void narrow(global const uint *in, global uint *out, uint n) {
  uint item = ITEM, a = in[item], b = in[item ^ 1];
  ushort x = (ushort)a, y = (ushort)(b >> 16);
  short sx = (short)a, sy = (short)b;
  uchar p = (uchar)(a >> 8), q = (uchar)(b >> 24);
  char sp = (char)a;
  ushort u = (ushort)(x * y + (x >> 3)) ^ (ushort)(y << 5);
  short s = (short)((sx >> 2) - sy);
  s = s > sx ? s : sx;
  uchar c = (uchar)((p + q) >> 1) ^ (uchar)(p * 3);
  out[item] = (uint)u << 16 ^ (uint)(ushort)s ^ (uint)c << 8 ^ (uint)(sp * 77);
}

// Vectors whose elements are written one by one: on the way there, parts of their registers are undefined.
__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void elements(global const uint *in, global uint *out, uint n) {
  uint item = ITEM, x = in[item], y = in[item ^ 1];
  ushort2 a = (ushort2)((ushort)x, (ushort)(x >> 16)), b = (ushort2)((ushort)y, (ushort)(y >> 16)), r;
#pragma clang loop unroll(disable)
  for (int j = 0; j < 2; j++)
    r[j] = a[j] > b[j] ? a[j] : b[j];
  uchar3 c = (uchar3)((uchar)x, (uchar)(x >> 8), (uchar)(x >> 16));
  c.x += y & 1 ? 0 : 7;
  c.y += y & 1 ? 7 : 0;
  ushort product = a.x * b.x + a.y;
  if (product & 3)
    for (int k = 0; k < (product & 7); k++) {
      if (c[k % 3] > 200)
        break;
      r[k & 1] += c[k % 3];
    }
  out[item] = (r.x | (uint)r.y << 16) ^ (uint)__builtin_ctz(0x10000u | product) << 3;
}
