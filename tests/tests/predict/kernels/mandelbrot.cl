// How many steps each point of the plane takes to leave the circle of radius 2.
kernel void mandelbrot(global uint *steps, uint width, float left, float top, float step, uint most)
{
    uint x = __builtin_amdgcn_workgroup_id_x() * 8 + __builtin_amdgcn_workitem_id_x();
    uint y = __builtin_amdgcn_workgroup_id_y() * 8 + __builtin_amdgcn_workitem_id_y();
    float real = left + (float)x * step, imaginary = top + (float)y * step;
    float a = 0.0f, b = 0.0f;
    uint count = 0;
    while (count < most && a * a + b * b <= 4.0f) {
        float next = a * a - b * b + real;
        b = 2.0f * a * b + imaginary;
        a = next;
        ++count;
    }
    steps[y * width + x] = count;
}
