// Products of matrices by WMMA: out = A × B, both row by row, A of 64 × k and B of k × 64 behind it. Each wave of LANES lanes computes tiles of 16 × 16. Where
// elements go is written as AMD's articles on RDNA 3 and RDNA 4 (gpuopen.com, "wmma_on_rdna3", "using_matrix_core_amd_rdna4") do it: with the elements
// along k of a lane of gfx12 side by side, which gives the same as the ISA's order since A and B have it both.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

#define SIZE 64
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define SUMS (256 / LANES)

#if defined(__gfx1201__)
#define HELD SUMS
#define K_OF(l, e) ((l) / 16 * HELD + (e))
#define ROW_OF(l, e) ((l) / 16 % 2 * 8 + (l) / 32 * 4 + (e))
#if LANES == 32
#define WMMA(name) JOIN(__builtin_amdgcn_wmma_, JOIN(name, _w32_gfx12))
#else
#define WMMA(name) JOIN(__builtin_amdgcn_wmma_, JOIN(name, _w64_gfx12))
#endif
#else
#define HELD 16
#define K_OF(l, e) (e)
#define ROW_OF(l, e) ((e) * (LANES / 16) + (l) / 16)
#if LANES == 32
#define WMMA(name) JOIN(__builtin_amdgcn_wmma_, JOIN(name, _w32))
#else
#define WMMA(name) JOIN(__builtin_amdgcn_wmma_, JOIN(name, _w64))
#endif
#endif

typedef int ints __attribute__((ext_vector_type(SUMS)));
typedef float floats __attribute__((ext_vector_type(SUMS)));
typedef half halves __attribute__((ext_vector_type(HELD)));
typedef short shorts __attribute__((ext_vector_type(HELD)));
typedef int two __attribute__((ext_vector_type(2)));
typedef int four __attribute__((ext_vector_type(4)));
#if HELD == 16
typedef four bytes_t;
typedef two nibbles_t;
#elif HELD == 8
typedef two bytes_t;
typedef int nibbles_t;
#else
typedef int bytes_t;
#endif

static uint lane(void) { return __builtin_amdgcn_workitem_id_x() % LANES; }
static uint tile(void) {
    return __builtin_amdgcn_workgroup_id_x() * (64 / LANES) + __builtin_amdgcn_workitem_id_x() / LANES;
}

// Registers of elements of so many bits.
#define PACK(registers, bits, of)                                       \
    for (uint e = 0; e < sizeof(registers) * 8 / (bits); e++)           \
        ((private uint *)&(registers))[e * (bits) / 32] |= ((uint)(of) & ((1u << (bits)) - 1)) << e * (bits) % 32;

#define BEGIN                                                           \
    uint l = lane(), row = tile() / 4 * 16, column = tile() % 4 * 16;   \
    uint line = l % 16;

__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void i8(global const char *in, global int *out, uint k) {
    global const char *b = in + SIZE * k;
    BEGIN
    ints sum = 0;
    for (uint first = 0; first < k; first += 16) {
        bytes_t x = 0, y = 0;
        PACK(x, 8, in[(row + line) * k + first + K_OF(l, e)])
        PACK(y, 8, b[(first + K_OF(l, e)) * SIZE + column + line])
        sum = WMMA(i32_16x16x16_iu8)(true, x, true, y, sum, false);
    }
    for (uint e = 0; e < SUMS; e++)
        out[(row + ROW_OF(l, e)) * SIZE + column + line] = sum[e];
}

// A's bytes without a sign.
__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void u8(global const char *in, global int *out, uint k) {
    global const char *b = in + SIZE * k;
    BEGIN
    ints sum = 0;
    for (uint first = 0; first < k; first += 16) {
        bytes_t x = 0, y = 0;
        PACK(x, 8, in[(row + line) * k + first + K_OF(l, e)])
        PACK(y, 8, b[(first + K_OF(l, e)) * SIZE + column + line])
        sum = WMMA(i32_16x16x16_iu8)(false, x, true, y, sum, false);
    }
    for (uint e = 0; e < SUMS; e++)
        out[(row + ROW_OF(l, e)) * SIZE + column + line] = sum[e];
}

#if HELD > 4
__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void i4(global const char *in, global int *out, uint k) {
    global const char *b = in + SIZE * k;
    BEGIN
    ints sum = 0;
    for (uint first = 0; first < k; first += 16) {
        nibbles_t x = 0, y = 0;
        PACK(x, 4, in[(row + line) * k + first + K_OF(l, e)])
        PACK(y, 4, b[(first + K_OF(l, e)) * SIZE + column + line])
        sum = WMMA(i32_16x16x16_iu4)(true, x, true, y, sum, false);
    }
    for (uint e = 0; e < SUMS; e++)
        out[(row + ROW_OF(l, e)) * SIZE + column + line] = sum[e];
}
#endif

__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void f16(global const half *in, global float *out, uint k) {
    global const half *b = in + SIZE * k;
    BEGIN
    floats sum = 0;
    for (uint first = 0; first < k; first += 16) {
        halves x, y;
        for (uint e = 0; e < HELD; e++) {
            x[e] = in[(row + line) * k + first + K_OF(l, e)];
            y[e] = b[(first + K_OF(l, e)) * SIZE + column + line];
        }
        sum = WMMA(f32_16x16x16_f16)(x, y, sum);
    }
    for (uint e = 0; e < SUMS; e++)
        out[(row + ROW_OF(l, e)) * SIZE + column + line] = sum[e];
}

__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void bf16(global const short *in, global float *out, uint k) {
    global const short *b = in + SIZE * k;
    BEGIN
    floats sum = 0;
    for (uint first = 0; first < k; first += 16) {
        shorts x, y;
        for (uint e = 0; e < HELD; e++) {
            x[e] = in[(row + line) * k + first + K_OF(l, e)];
            y[e] = b[(first + K_OF(l, e)) * SIZE + column + line];
        }
        sum = WMMA(f32_16x16x16_bf16)(x, y, sum);
    }
    for (uint e = 0; e < SUMS; e++)
        out[(row + ROW_OF(l, e)) * SIZE + column + line] = sum[e];
}

// The result of 16 bits: on gfx11 in the high halves of registers, on gfx12 two in each.
#if defined(__gfx1201__)
typedef half results __attribute__((ext_vector_type(SUMS)));
#define HALF_OF(e) (e)
#else
typedef half results __attribute__((ext_vector_type(2 * SUMS)));
#define HALF_OF(e) (2 * (e) + 1)
#endif

__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void f16_of_f16(global const half *in, global float *out, uint k) {
    global const half *b = in + SIZE * k;
    BEGIN
    results sum = 0;
    for (uint first = 0; first < k; first += 16) {
        halves x, y;
        for (uint e = 0; e < HELD; e++) {
            x[e] = in[(row + line) * k + first + K_OF(l, e)];
            y[e] = b[(first + K_OF(l, e)) * SIZE + column + line];
        }
#if defined(__gfx1201__)
        sum = WMMA(f16_16x16x16_f16)(x, y, sum);
#else
        sum = WMMA(f16_16x16x16_f16)(x, y, sum, true);
#endif
    }
    for (uint e = 0; e < SUMS; e++)
        out[(row + ROW_OF(l, e)) * SIZE + column + line] = sum[HALF_OF(e)];
}

#if defined(__gfx1201__)
__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void fp8(global const char *in, global float *out, uint k) {
    global const char *b = in + SIZE * k;
    BEGIN
    floats sum = 0;
    for (uint first = 0; first < k; first += 16) {
        bytes_t x = 0, y = 0;
        PACK(x, 8, in[(row + line) * k + first + K_OF(l, e)])
        PACK(y, 8, b[(first + K_OF(l, e)) * SIZE + column + line])
        sum = WMMA(f32_16x16x16_fp8_fp8)(x, y, sum);
    }
    for (uint e = 0; e < SUMS; e++)
        out[(row + ROW_OF(l, e)) * SIZE + column + line] = sum[e];
}

// Twice as many elements along k.
__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void deep_i4(global const char *in, global int *out, uint k) {
    global const char *b = in + SIZE * k;
    BEGIN
    ints sum = 0;
    for (uint first = 0; first < k; first += 32) {
        bytes_t x = 0, y = 0;
        PACK(x, 4, in[(row + line) * k + first + l / 16 * (2 * HELD) + e])
        PACK(y, 4, b[(first + l / 16 * (2 * HELD) + e) * SIZE + column + line])
        sum = WMMA(i32_16x16x32_iu4)(true, x, true, y, sum, false);
    }
    for (uint e = 0; e < SUMS; e++)
        out[(row + ROW_OF(l, e)) * SIZE + column + line] = sum[e];
}
#endif
