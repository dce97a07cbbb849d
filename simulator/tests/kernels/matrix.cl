// Products of matrices by matrix instructions: out = A × B, both row by row, A of 64 × k and B of k × 64 behind it. Each wave computes a tile.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

#define SIZE 64

typedef half half4_t __attribute__((ext_vector_type(4)));
typedef half half8_t __attribute__((ext_vector_type(8)));
typedef float float4_t __attribute__((ext_vector_type(4)));
typedef float float16_t __attribute__((ext_vector_type(16)));
typedef double double4_t __attribute__((ext_vector_type(4)));
typedef int int4_t __attribute__((ext_vector_type(4)));
typedef char char4_t __attribute__((ext_vector_type(4)));
typedef char char8_t __attribute__((ext_vector_type(8)));

static uint lane(void) { return __builtin_amdgcn_workitem_id_x(); }
static uint tile(void) { return __builtin_amdgcn_workgroup_id_x(); }

__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void f16_16x16x16(global const half *in, global float *out, uint k) {
    global const half *b = in + SIZE * k;
    uint l = lane(), row = tile() / 4 * 16, column = tile() % 4 * 16;
    float4_t sum = 0;
    for (uint first = 0; first < k; first += 16) {
        half4_t x, y;
        for (uint e = 0; e < 4; e++) {
            uint at = first + l / 16 * 4 + e;
            x[e] = in[(row + l % 16) * k + at];
            y[e] = b[at * SIZE + column + l % 16];
        }
        sum = __builtin_amdgcn_mfma_f32_16x16x16f16(x, y, sum, 0, 0, 0);
    }
    for (uint e = 0; e < 4; e++)
        out[(row + l / 16 * 4 + e) * SIZE + column + l % 16] = sum[e];
}

__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void f16_32x32x8(global const half *in, global float *out, uint k) {
    global const half *b = in + SIZE * k;
    uint l = lane(), row = tile() / 2 * 32, column = tile() % 2 * 32;
    float16_t sum = 0;
    for (uint first = 0; first < k; first += 8) {
        half4_t x, y;
        for (uint e = 0; e < 4; e++) {
            uint at = first + l / 32 * 4 + e;
            x[e] = in[(row + l % 32) * k + at];
            y[e] = b[at * SIZE + column + l % 32];
        }
        sum = __builtin_amdgcn_mfma_f32_32x32x8f16(x, y, sum, 0, 0, 0);
    }
    for (uint e = 0; e < 16; e++)
        out[(row + e / 4 * 8 + l / 32 * 4 + e % 4) * SIZE + column + l % 32] = sum[e];
}

// Sixteen blocks of 4 × 4: a wave computes four rows.
__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void f32_4x4x1(global const float *in, global float *out, uint k) {
    global const float *b = in + SIZE * k;
    uint l = lane(), row = tile() * 4;
    float4_t sum = 0;
    for (uint at = 0; at < k; at++)
        sum = __builtin_amdgcn_mfma_f32_4x4x1f32(in[(row + l % 4) * k + at], b[at * SIZE + l], sum, 0, 0, 0);
    for (uint e = 0; e < 4; e++)
        out[(row + e) * SIZE + l] = sum[e];
}

// The same with one block of A for all.
__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void f32_4x4x1_broadcast(global const float *in, global float *out, uint k) {
    global const float *b = in + SIZE * k;
    uint l = lane(), row = tile() * 4;
    float4_t sum = 0;
    for (uint at = 0; at < k; at++) {
        float x = l / 4 == 5 ? in[(row + l % 4) * k + at] : 1e30f;
        sum = __builtin_amdgcn_mfma_f32_4x4x1f32(x, b[at * SIZE + l], sum, 4, 5, 0);
    }
    for (uint e = 0; e < 4; e++)
        out[(row + e) * SIZE + l] = sum[e];
}

__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void f64_16x16x4(global const double *in, global double *out, uint k) {
    global const double *b = in + SIZE * k;
    uint l = lane(), row = tile() / 4 * 16, column = tile() % 4 * 16;
    double4_t sum = 0;
    for (uint first = 0; first < k; first += 4) {
        uint at = first + l / 16;
        double x = in[(row + l % 16) * k + at], y = b[at * SIZE + column + l % 16];
        sum = __builtin_amdgcn_mfma_f64_16x16x4f64(x, y, sum, 0, 0, 0);
    }
    for (uint e = 0; e < 4; e++)
        out[(row + l / 16 + e * 4) * SIZE + column + l % 16] = sum[e];
}

__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void i8_16x16(global const char *in, global int *out, uint k) {
    global const char *b = in + SIZE * k;
    uint l = lane(), row = tile() / 4 * 16, column = tile() % 4 * 16;
    int4_t sum = 0;
#if defined(__gfx90a__)
    for (uint first = 0; first < k; first += 16) {
        char4_t x, y;
        for (uint e = 0; e < 4; e++) {
            uint at = first + l / 16 * 4 + e;
            x[e] = in[(row + l % 16) * k + at];
            y[e] = b[at * SIZE + column + l % 16];
        }
        sum = __builtin_amdgcn_mfma_i32_16x16x16i8(as_int(x), as_int(y), sum, 0, 0, 0);
    }
#else
    for (uint first = 0; first < k; first += 32) {
        char8_t x, y;
        for (uint e = 0; e < 8; e++) {
            uint at = first + l / 16 * 8 + e;
            x[e] = in[(row + l % 16) * k + at];
            y[e] = b[at * SIZE + column + l % 16];
        }
        sum = __builtin_amdgcn_mfma_i32_16x16x32_i8(as_long(x), as_long(y), sum, 0, 0, 0);
    }
#endif
    for (uint e = 0; e < 4; e++)
        out[(row + l / 16 * 4 + e) * SIZE + column + l % 16] = sum[e];
}

// Two sums in a pair of registers, by packed single precision.
__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void packed_single(global const float *in, global float *out, uint k) {
    global const float *b = in + SIZE * k;
    uint l = lane(), row = tile();
    float2 sum = 0;
    for (uint at = 0; at < k; at += 2) {
        float2 x = {in[row * k + at], in[row * k + at + 1]};
        float2 y = {b[at * SIZE + l], b[(at + 1) * SIZE + l]};
        sum = __builtin_elementwise_fma(x, y, sum);
    }
    out[row * SIZE + l] = sum.x + sum.y;
}

#if defined(__gfx942__) || defined(__gfx950__)
// Bytes are FP8, of the generation.
__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void fp8_32x32x16(global const char *in, global float *out, uint k) {
    global const char *b = in + SIZE * k;
    uint l = lane(), row = tile() / 2 * 32, column = tile() % 2 * 32;
    float16_t sum = 0;
    for (uint first = 0; first < k; first += 16) {
        char8_t x, y;
        for (uint e = 0; e < 8; e++) {
            uint at = first + l / 32 * 8 + e;
            x[e] = in[(row + l % 32) * k + at];
            y[e] = b[at * SIZE + column + l % 32];
        }
        sum = __builtin_amdgcn_mfma_f32_32x32x16_fp8_fp8(as_long(x), as_long(y), sum, 0, 0, 0);
    }
    for (uint e = 0; e < 16; e++)
        out[(row + e / 4 * 8 + l / 32 * 4 + e % 4) * SIZE + column + l % 32] = sum[e];
}

// A has its second and its fourth element of each four alone.
__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void sparse_16x16x32(global const half *in, global float *out, uint k) {
    global const half *b = in + SIZE * k;
    uint l = lane(), row = tile() / 4 * 16, column = tile() % 4 * 16;
    float4_t sum = 0;
    for (uint first = 0; first < k; first += 32) {
        half4_t x;
        half8_t y;
        for (uint e = 0; e < 4; e++)
            x[e] = in[(row + l % 16) * k + first + l / 16 * 8 + 2 * e + 1];
        for (uint e = 0; e < 8; e++)
            y[e] = b[(first + l / 16 * 8 + e) * SIZE + column + l % 16];
        // The third set of indices: 1 and 3, twice.
        sum = __builtin_amdgcn_smfmac_f32_16x16x32_f16(x, y, sum, 0x00dd0000, 0, 2);
    }
    for (uint e = 0; e < 4; e++)
        out[(row + l / 16 * 4 + e) * SIZE + column + l % 16] = sum[e];
}
#endif
