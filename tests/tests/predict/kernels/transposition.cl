// A matrix of width x height, transposed in tiles of 16 x 16; the lines of the tile in LDS are one number longer.
#include "group.h"

kernel void transposition(global uint *output, const global uint *input, uint width, uint height)
{
    local uint tile[16][17];
    uint x = __builtin_amdgcn_workitem_id_x(), y = __builtin_amdgcn_workitem_id_y();
    uint left = __builtin_amdgcn_workgroup_id_x() * 16, top = __builtin_amdgcn_workgroup_id_y() * 16;
    if (left + x < width && top + y < height)
        tile[y][x] = input[(top + y) * width + left + x];
    group_barrier();
    if (top + x < height && left + y < width)
        output[(left + y) * height + top + x] = tile[x][y];
}
