// The acceleration that all bodies give each one; a body's mass is in w.
kernel void nbody(global float4 *acceleration, const global float4 *bodies, uint n, float softening)
{
    uint item = __builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x();
    float4 own = bodies[item];
    float3 sum = (float3)(0.0f, 0.0f, 0.0f);
    for (uint other = 0; other < n; ++other) {
        float4 body = bodies[other];
        float3 d = body.xyz - own.xyz;
        float square = d.x * d.x + d.y * d.y + d.z * d.z + softening;
        float inverse = __builtin_amdgcn_rsqf(square);
        sum += d * (body.w * inverse * inverse * inverse);
    }
    acceleration[item] = (float4)(sum, 0.0f);
}
