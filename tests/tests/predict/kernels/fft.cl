// A Fourier transform of 256 complex numbers in each group: radix 2, decimation in time, in LDS. The factors come from
// V_SIN_F32 and V_COS_F32, which take turns.
#include "group.h"

kernel void fft(global float2 *output, const global float2 *input)
{
    local float2 values[256];
    uint item = __builtin_amdgcn_workitem_id_x(), group = __builtin_amdgcn_workgroup_id_x();
    for (uint i = item; i < 256; i += 128)
        values[__builtin_bitreverse32(i) >> 24] = input[group * 256 + i];
    float turn = -0.5f;
    for (uint reach = 1; reach < 256; reach <<= 1, turn *= 0.5f) {
        group_barrier();
        uint in_block = item & (reach - 1), lower = (item - in_block) * 2 + in_block;
        float turns = (float)in_block * turn;
        float2 factor = (float2)(__builtin_amdgcn_cosf(turns), __builtin_amdgcn_sinf(turns));
        float2 a = values[lower], b = values[lower + reach];
        float2 turned = (float2)(b.x * factor.x - b.y * factor.y, b.x * factor.y + b.y * factor.x);
        values[lower] = a + turned;
        values[lower + reach] = a - turned;
    }
    group_barrier();
    for (uint i = item; i < 256; i += 128)
        output[group * 256 + i] = values[i];
}
