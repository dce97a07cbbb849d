// A program of HIP's host functions: `program memory`, `program launches KERNELS`, `program fault KERNELS KERNEL WHAT`.
// It says what it found, line by line, and ends with 1 at the first wrong result.

#include <hip/hip_runtime_api.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define LAUNCHES 1000
#define WORDS 256
#define LARGE (3 * 1024 * 1024 + 5)

static void check(hipError_t error, const char *what) {
    if (error != hipSuccess) {
        printf("%s: %s\n", what, hipGetErrorName(error));
        exit(2);
    }
}
#define CHECK(call) check(call, #call)

static void expect(int is_right, const char *what) {
    printf("%s: %s\n", what, is_right ? "right" : "WRONG");
    if (!is_right) exit(1);
}

static void fill(uint8_t *bytes, size_t count, uint32_t seed) {
    for (size_t i = 0; i < count; i++) {
        seed = seed * 1664525u + 1013904223u;
        bytes[i] = seed >> 24;
    }
}

static void copies(size_t bytes, const char *what) {
    uint8_t *host = malloc(bytes), *back = calloc(bytes, 1);
    void *a, *b;
    fill(host, bytes, 1);
    CHECK(hipMalloc(&a, bytes));
    CHECK(hipMalloc(&b, bytes));
    CHECK(hipMemcpy(a, host, bytes, hipMemcpyHostToDevice));
    CHECK(hipMemcpy(b, a, bytes, hipMemcpyDeviceToDevice));
    CHECK(hipMemcpy(back, b, bytes, hipMemcpyDeviceToHost));
    expect(memcmp(host, back, bytes) == 0, what);
    CHECK(hipFree(a));
    CHECK(hipFree(b));
    free(host);
    free(back);
}

static void fills(void) {
    uint8_t *back = malloc(LARGE);
    void *a;
    CHECK(hipMalloc(&a, LARGE));
    CHECK(hipMemset(a, 0x5a, LARGE));
    CHECK(hipMemset((uint8_t *)a + 3, 0xa5, 1001));
    CHECK(hipMemsetD32((hipDeviceptr_t)((uint8_t *)a + 4096), 0x01020304, 300));
    CHECK(hipMemcpy(back, a, LARGE, hipMemcpyDeviceToHost));
    int is_right = 1;
    for (size_t i = 0; i < LARGE; i++) {
        uint8_t wanted = i >= 3 && i < 1004 ? 0xa5 : 0x5a;
        if (i >= 4096 && i < 4096 + 1200) wanted = 4 - (i & 3);
        is_right &= back[i] == wanted;
    }
    expect(is_right, "fills");
    CHECK(hipFree(a));
    free(back);
}

static hipFunction_t function(const char *file, const char *name) {
    hipModule_t module;
    hipFunction_t function;
    CHECK(hipModuleLoad(&module, file));
    CHECK(hipModuleGetFunction(&function, module, name));
    return function;
}

struct arguments {
    void *words;
    uint32_t value, pad;
};

static hipError_t launch(hipFunction_t function, struct arguments arguments, hipStream_t stream) {
    size_t size = sizeof arguments;
    void *extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, &arguments, HIP_LAUNCH_PARAM_BUFFER_SIZE, &size,
                     HIP_LAUNCH_PARAM_END};
    return hipModuleLaunchKernel(function, WORDS / 64, 1, 1, 64, 1, 1, 0, stream, NULL, extra);
}

static void launches(const char *file) {
    hipFunction_t add = function(file, "add");
    hipStream_t streams[2];
    uint32_t *words[2], back[WORDS];
    hipEvent_t begin, end;
    CHECK(hipEventCreate(&begin));
    CHECK(hipEventCreate(&end));
    for (int i = 0; i < 2; i++) {
        CHECK(hipStreamCreate(&streams[i]));
        CHECK(hipMalloc((void **)&words[i], sizeof back));
        CHECK(hipMemsetAsync(words[i], 0, sizeof back, streams[i]));
    }
    CHECK(hipEventRecord(begin, streams[0]));
    for (uint32_t n = 0; n < LAUNCHES; n++)
        CHECK(launch(add, (struct arguments){words[n % 2], n, 0}, streams[n % 2]));
    CHECK(hipEventRecord(end, streams[0]));
    for (uint32_t i = 0; i < 2; i++) {
        CHECK(hipStreamSynchronize(streams[i]));
        CHECK(hipMemcpy(back, words[i], sizeof back, hipMemcpyDeviceToHost));
        uint32_t sum = 0;
        for (uint32_t n = i; n < LAUNCHES; n += 2) sum += n;
        int is_right = 1;
        for (int w = 0; w < WORDS; w++) is_right &= back[w] == sum;
        expect(is_right, i ? "second stream" : "first stream");
    }
    float milliseconds = -1;
    CHECK(hipEventElapsedTime(&milliseconds, begin, end));
    expect(milliseconds > 0 && milliseconds < 60000, "time between events");
    // One after the other, each seen by the host before the next: memory that the host maps.
    uint32_t *mapped;
    CHECK(hipHostMalloc((void **)&mapped, sizeof back, 0));
    memset(mapped, 0, sizeof back);
    int is_right = 1;
    for (uint32_t n = 1; n <= 100; n++) {
        CHECK(launch(add, (struct arguments){mapped, 1, 0}, NULL));
        CHECK(hipDeviceSynchronize());
        is_right &= mapped[0] == n && mapped[WORDS - 1] == n;
    }
    expect(is_right, "memory of the host");
}

// Launches a kernel three times and looks what comes of it: WHAT is `wait`, `query`, `large` (a large allocation before) or
// `wild` (an address where nothing is).
static void fault(const char *file, const char *name, const char *what) {
    hipFunction_t kernel = function(file, name);
    uint32_t *words;
    CHECK(hipMalloc((void **)&words, strcmp(what, "large") == 0 ? 256 << 20 : 4 * WORDS));
    if (strcmp(what, "wild") == 0) words = (uint32_t *)0x123456000;
    const char *given = getenv("POLLS");
    int polls = given ? atoi(given) : 2500;
    for (int n = 1; n <= 3; n++) {
        CHECK(launch(kernel, (struct arguments){words, 1, 0}, NULL));
        if (strcmp(what, "wait") != 0) {
            hipError_t error = hipErrorNotReady;
            for (int i = 0; i < polls && error == hipErrorNotReady; i++) {
                error = hipStreamQuery(NULL);
                struct timespec pause = {0, 2000000};
                nanosleep(&pause, NULL);
            }
            printf("launch %d: %s\n", n, hipGetErrorName(error));
            if (error != hipSuccess) exit(3);
        } else {
            CHECK(hipDeviceSynchronize());
            printf("launch %d: done\n", n);
        }
    }
}

int main(int count, char **arguments) {
    setvbuf(stdout, NULL, _IOLBF, 0);
    const char *what = count > 1 ? arguments[1] : "";
    if (strcmp(what, "memory") == 0) {
        copies(1, "copies of 1 byte");
        copies(4099, "copies of 4099 bytes");
        copies(LARGE, "copies of 3 MiB");
        fills();
    } else if (strcmp(what, "launches") == 0 && count == 3) {
        launches(arguments[2]);
    } else if (strcmp(what, "fault") == 0 && count == 5) {
        fault(arguments[2], arguments[3], arguments[4]);
    } else {
        return 64;
    }
    puts("end");
    return 0;
}
