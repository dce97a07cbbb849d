// A step of heat in a plane: each point moves towards its four neighbours; the rim stays.
kernel void stencil(global float *output, const global float *input, uint width, uint height, float rate)
{
    uint x = __builtin_amdgcn_workgroup_id_x() * __builtin_amdgcn_workgroup_size_x() + __builtin_amdgcn_workitem_id_x();
    uint y = __builtin_amdgcn_workgroup_id_y() * __builtin_amdgcn_workgroup_size_y() + __builtin_amdgcn_workitem_id_y();
    if (x >= width || y >= height)
        return;
    uint at = y * width + x;
    float own = input[at];
    if (x > 0 && y > 0 && x + 1 < width && y + 1 < height) {
        float sum = input[at - 1] + input[at + 1] + input[at - width] + input[at + width];
        own = own + rate * (sum - 4.0f * own);
    }
    output[at] = own;
}
