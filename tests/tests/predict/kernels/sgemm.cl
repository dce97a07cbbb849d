// C = A B of square matrices of n, in tiles of 16 x 16 that go through LDS.
#define TILE 16
#include "group.h"

__attribute__((reqd_work_group_size(TILE, TILE, 1)))
kernel void sgemm(global float *c, const global float *a, const global float *b, uint n)
{
    local float tile_a[TILE][TILE], tile_b[TILE][TILE];
    uint x = __builtin_amdgcn_workitem_id_x(), y = __builtin_amdgcn_workitem_id_y();
    uint column = __builtin_amdgcn_workgroup_id_x() * TILE + x, row = __builtin_amdgcn_workgroup_id_y() * TILE + y;
    float sum = 0.0f;
    for (uint tile = 0; tile < n; tile += TILE) {
        tile_a[y][x] = a[row * n + tile + x];
        tile_b[y][x] = b[(tile + y) * n + column];
        group_barrier();
        for (uint k = 0; k < TILE; ++k)
            sum = __builtin_fmaf(tile_a[y][k], tile_b[k][x], sum);
        group_barrier();
    }
    c[row * n + column] = sum;
}
