// Products of matrices whose elements have a scale for each 32 along k: out = A × B, A of 64 × k row by row, B of k × 64 column by column. Bytes are
// FP8 of OCP, nibbles FP4. Behind the elements: the scales of A, then those of B, k / 32 for each line.
#define SIZE 64

typedef float float4_t __attribute__((ext_vector_type(4)));
typedef float float16_t __attribute__((ext_vector_type(16)));


static uint lane(void) { return __builtin_amdgcn_workitem_id_x(); }
static uint tile(void) { return __builtin_amdgcn_workgroup_id_x(); }

// Bytes: a lane holds 16 elements of its group, and 16 more behind those of all groups.
static int8 bytes(global const uchar *line, uint group, uint groups) {
    int8 found;
    for (uint e = 0; e < 8; e++)
        found[e] = ((global const int *)(line + e / 4 * 16 * groups + group * 16))[e % 4];
    return found;
}

// Nibbles: 32 elements behind one another.
static int8 nibbles(global const uchar *line, uint group) {
    int8 found = 0;
    for (uint e = 0; e < 4; e++)
        found[e] = ((global const int *)(line + group * 16))[e];
    return found;
}

__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void fp8_16x16x128(global const uchar *in, global float *out, uint k) {
    global const uchar *b = in + SIZE * k, *scales = b + SIZE * k;
    uint l = lane(), row = tile() / 4 * 16 + l % 16, column = tile() % 4 * 16 + l % 16;
    float4_t sum = 0;
    for (uint first = 0; first < k; first += 128) {
        int8 x = bytes(in + row * k + first, l / 16, 4), y = bytes(b + column * k + first, l / 16, 4);
        int of_a = scales[(row * k + first) / 32 + l / 16], of_b = scales[((SIZE + column) * k + first) / 32 + l / 16];
        sum = __builtin_amdgcn_mfma_scale_f32_16x16x128_f8f6f4(x, y, sum, 0, 0, 0, of_a, 0, of_b);
    }
    for (uint e = 0; e < 4; e++)
        out[(tile() / 4 * 16 + l / 16 * 4 + e) * SIZE + column] = sum[e];
}

// A of nibbles, whose scales are the second byte of their dword and those of B the fourth.
__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void fp4_fp8_32x32x64(global const uchar *in, global float *out, uint k) {
    global const uchar *b = in + SIZE * k / 2, *scales = b + SIZE * k;
    uint l = lane(), row = tile() / 2 * 32 + l % 32, column = tile() % 2 * 32 + l % 32;
    float16_t sum = 0;
    for (uint first = 0; first < k; first += 64) {
        int8 x = nibbles(in + (row * k + first) / 2, l / 32), y = bytes(b + column * k + first, l / 32, 2);
        int of_a = scales[(row * k + first) / 32 + l / 32] << 8, of_b = scales[((SIZE + column) * k + first) / 32 + l / 32] << 24;
        sum = __builtin_amdgcn_mfma_scale_f32_32x32x64_f8f6f4(x, y, sum, 4, 0, 1, of_a, 3, of_b);
    }
    for (uint e = 0; e < 16; e++)
        out[(tile() / 2 * 32 + e / 4 * 8 + l / 32 * 4 + e % 4) * SIZE + column] = sum[e];
}
