// The sum of each group's 512 numbers, by halves in LDS.
#include "group.h"

kernel void reduction(global uint *sums, const global uint *input)
{
    local uint part[256];
    uint item = __builtin_amdgcn_workitem_id_x(), group = __builtin_amdgcn_workgroup_id_x();
    const global uint *own = input + group * 512;
    part[item] = own[item] + own[item + 256];
    for (uint reach = 128; reach > 0; reach >>= 1) {
        group_barrier();
        if (item < reach)
            part[item] += part[item + reach];
    }
    if (item == 0)
        sums[group] = part[0];
}
