// The sums of all numbers up to each one, within each group of 256.
#include "group.h"

kernel void prefix_sum(global uint *output, const global uint *input)
{
    local uint sums[256];
    uint item = __builtin_amdgcn_workitem_id_x(), at = __builtin_amdgcn_workgroup_id_x() * 256 + item;
    sums[item] = input[at];
    for (uint distance = 1; distance < 256; distance <<= 1) {
        group_barrier();
        uint before = item >= distance ? sums[item - distance] : 0;
        group_barrier();
        sums[item] += before;
    }
    output[at] = sums[item];
}
