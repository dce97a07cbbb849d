// How often each byte occurs: counted in LDS with atomics, then added up in memory.
#include "group.h"

kernel void histogram(global uint *counts, const global uchar *input, uint n)
{
    local uint own[256];
    uint item = __builtin_amdgcn_workitem_id_x(), group = __builtin_amdgcn_workgroup_id_x();
    own[item] = 0;
    group_barrier();
    for (uint i = 0; i < 8; ++i) {
        uint at = (group * 8 + i) * 256 + item;
        if (at < n)
            __opencl_atomic_fetch_add((local atomic_uint *)&own[input[at]], 1, memory_order_relaxed, memory_scope_work_group);
    }
    group_barrier();
    if (own[item] != 0)
        __opencl_atomic_fetch_add((global atomic_uint *)&counts[item], own[item], memory_order_relaxed, memory_scope_device);
}
