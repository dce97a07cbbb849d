// A program of OpenCL's: `program list`, `program memory`, `program kernels OBJECT`, `program fault OBJECT KERNEL WHAT`.
// It says what it found, line by line, and ends with 1 at the first wrong result, with 2 at an error of OpenCL's.
// OBJECT is an ELF file with amd_kernel_code_t in front of each kernel; clover's container around it is written here.

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <elf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define GROUPS 5
#define WORDS (64 * GROUPS)
#define LARGE (1024 * 1024 + 4)
#define MOST 16

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;

static void check(cl_int error, const char *what) {
    if (error != CL_SUCCESS) {
        printf("%s: error %d\n", what, error);
        exit(2);
    }
}
#define CHECK(call) check(call, #call)

static void expect(int is_right, const char *what) {
    printf("%s: %s\n", what, is_right ? "right" : "WRONG");
    if (!is_right) exit(1);
}

static void list(void) {
    cl_platform_id platforms[MOST];
    cl_uint count = 0;
    CHECK(clGetPlatformIDs(MOST, platforms, &count));
    for (cl_uint i = 0; i < count; i++) {
        char name[256];
        cl_device_id devices[MOST];
        cl_uint found = 0;
        CHECK(clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof name, name, NULL));
        if (strcmp(name, "Clover") != 0) continue;
        if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_GPU, MOST, devices, &found) != CL_SUCCESS) found = 0;
        for (cl_uint d = 0; d < found; d++) {
            cl_uint units, mhz, vendor;
            cl_ulong local;
            CHECK(clGetDeviceInfo(devices[d], CL_DEVICE_NAME, sizeof name, name, NULL));
            CHECK(clGetDeviceInfo(devices[d], CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL));
            CHECK(clGetDeviceInfo(devices[d], CL_DEVICE_MAX_CLOCK_FREQUENCY, sizeof mhz, &mhz, NULL));
            CHECK(clGetDeviceInfo(devices[d], CL_DEVICE_VENDOR_ID, sizeof vendor, &vendor, NULL));
            CHECK(clGetDeviceInfo(devices[d], CL_DEVICE_LOCAL_MEM_SIZE, sizeof local, &local, NULL));
            printf("%s; %u units; %u MHz; vendor %#x; %llu bytes of LDS\n", name, units, mhz, vendor,
                   (unsigned long long)local);
            device = devices[d];
        }
    }
    if (device == NULL) {
        puts("no device");
        exit(2);
    }
}

static void start(void) {
    cl_int error;
    list();
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    check(error, "clCreateContext");
    queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &error);
    check(error, "clCreateCommandQueue");
}

static cl_mem buffer(size_t bytes, cl_mem_flags flags, void *host) {
    cl_int error;
    cl_mem memory = clCreateBuffer(context, flags, bytes, host, &error);
    check(error, "clCreateBuffer");
    return memory;
}

static void noise(uint8_t *bytes, size_t count, uint32_t seed) {
    for (size_t i = 0; i < count; i++) {
        seed = seed * 1664525u + 1013904223u;
        bytes[i] = seed >> 24;
    }
}

static void copies(size_t bytes, const char *what) {
    uint8_t *host = malloc(bytes), *back = calloc(bytes, 1);
    cl_mem a = buffer(bytes, CL_MEM_READ_WRITE, NULL), b = buffer(bytes, CL_MEM_READ_WRITE, NULL);
    noise(host, bytes, 1);
    CHECK(clEnqueueWriteBuffer(queue, a, CL_FALSE, 0, bytes, host, 0, NULL, NULL));
    CHECK(clEnqueueCopyBuffer(queue, a, b, 0, 0, bytes, 0, NULL, NULL));
    CHECK(clEnqueueReadBuffer(queue, b, CL_TRUE, 0, bytes, back, 0, NULL, NULL));
    expect(memcmp(host, back, bytes) == 0, what);
    CHECK(clReleaseMemObject(a));
    CHECK(clReleaseMemObject(b));
    free(host);
    free(back);
}

static void fills(void) {
    uint8_t *back = malloc(LARGE);
    const uint32_t word = 0x01020304;
    const uint8_t byte = 0x5a;
    cl_mem a = buffer(LARGE, CL_MEM_READ_WRITE, NULL);
    CHECK(clEnqueueFillBuffer(queue, a, &word, sizeof word, 0, LARGE, 0, NULL, NULL));
    CHECK(clEnqueueFillBuffer(queue, a, &byte, sizeof byte, 3, 1001, 0, NULL, NULL));
    CHECK(clEnqueueReadBuffer(queue, a, CL_TRUE, 0, LARGE, back, 0, NULL, NULL));
    int is_right = 1;
    for (size_t i = 0; i < LARGE; i++) is_right &= back[i] == (i >= 3 && i < 1004 ? 0x5a : 4 - (i & 3));
    expect(is_right, "fills");
    uint32_t *mapped;
    cl_int error;
    mapped = clEnqueueMapBuffer(queue, a, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 4096, 4096, 0, NULL, NULL, &error);
    check(error, "clEnqueueMapBuffer");
    is_right = mapped[0] == word && mapped[1023] == word;
    mapped[7] = 9;
    CHECK(clEnqueueUnmapMemObject(queue, a, mapped, 0, NULL, NULL));
    CHECK(clEnqueueReadBuffer(queue, a, CL_TRUE, 4096, 32, back, 0, NULL, NULL));
    expect(is_right && back[28] == 9 && back[24] == 4, "mapped memory");
    CHECK(clReleaseMemObject(a));
    free(back);
}

// Clover's container, as Mesa's core/binary.cpp reads it.
struct bytes {
    uint8_t *data;
    size_t count;
};

static void put(struct bytes *bytes, const void *data, size_t count) {
    bytes->data = realloc(bytes->data, bytes->count + count);
    memcpy(bytes->data + bytes->count, data, count);
    bytes->count += count;
}

static void put32(struct bytes *bytes, uint32_t value) { put(bytes, &value, sizeof value); }

static void put_text(struct bytes *bytes, const char *text) {
    put32(bytes, strlen(text));
    put(bytes, text, strlen(text));
}

static struct bytes container(const char *file) {
    FILE *stream = fopen(file, "rb");
    if (stream == NULL || fseek(stream, 0, SEEK_END) != 0) exit(64);
    size_t size = ftell(stream);
    uint8_t *elf = malloc(size);
    rewind(stream);
    if (fread(elf, 1, size, stream) != size) exit(64);
    fclose(stream);
    Elf64_Ehdr *header = (Elf64_Ehdr *)elf;
    Elf64_Shdr *sections = (Elf64_Shdr *)(elf + header->e_shoff), *symbols = NULL;
    for (int i = 0; i < header->e_shnum; i++)
        if (sections[i].sh_type == SHT_SYMTAB) symbols = &sections[i];
    if (symbols == NULL) exit(64);
    const char *names = (const char *)elf + sections[symbols->sh_link].sh_offset;
    Elf64_Sym *symbol = (Elf64_Sym *)(elf + symbols->sh_offset);
    struct bytes kernels = {0}, result = {0};
    uint32_t count = 0;
    for (size_t i = 0; i < symbols->sh_size / sizeof *symbol; i++) {
        if (ELF64_ST_BIND(symbol[i].st_info) != STB_GLOBAL) continue;
        count++;
        put_text(&kernels, names + symbol[i].st_name);
        put_text(&kernels, "");
        put32(&kernels, 3);
        for (int word = 0; word < 6; word++) put32(&kernels, 0);
        put32(&kernels, 0);
        put32(&kernels, symbol[i].st_value);
        // Arguments: a pointer to global memory, a scalar.
        const uint32_t arguments[2][6] = {{2, 8, 8, 8, 0, 0}, {0, 4, 4, 4, 0, 0}};
        put32(&kernels, 2);
        put(&kernels, arguments, sizeof arguments);
    }
    put32(&result, count);
    put(&result, kernels.data, kernels.count);
    put32(&result, 1);
    put32(&result, 0);
    put32(&result, 2);
    put32(&result, size);
    put32(&result, size + 4);
    put32(&result, size);
    put(&result, elf, size);
    put32(&result, 0);
    put32(&result, 0);
    return result;
}

static cl_program program(const char *file) {
    cl_int error, status;
    struct bytes bytes = container(file);
    const unsigned char *data = bytes.data;
    cl_program program = clCreateProgramWithBinary(context, 1, &device, &bytes.count, &data, &status, &error);
    check(error, "clCreateProgramWithBinary");
    CHECK(clBuildProgram(program, 1, &device, "", NULL, NULL));
    return program;
}

static cl_event launch(cl_program program, const char *name, cl_mem memory, uint32_t value) {
    cl_int error;
    size_t global = WORDS, local = 64;
    cl_event event;
    cl_kernel kernel = clCreateKernel(program, name, &error);
    check(error, "clCreateKernel");
    CHECK(clSetKernelArg(kernel, 0, sizeof memory, &memory));
    CHECK(clSetKernelArg(kernel, 1, sizeof value, &value));
    CHECK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, &event));
    CHECK(clReleaseKernel(kernel));
    return event;
}

static void read_words(cl_mem memory, uint32_t *words) {
    CHECK(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, 4 * WORDS, words, 0, NULL, NULL));
}

static void kernels(const char *file) {
    cl_program made = program(file);
    uint32_t words[WORDS], back[WORDS];
    uint64_t clocks[3];
    for (uint32_t i = 0; i < WORDS; i++) words[i] = i * i;
    cl_mem memory = buffer(sizeof words, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, words);
    cl_event event = launch(made, "plus", memory, 1000);
    read_words(memory, back);
    int is_right = 1;
    for (uint32_t i = 0; i < WORDS; i++) is_right &= back[i] == i * i + 1000;
    expect(is_right, "a sum");
    cl_ulong begin = 0, end = 0;
    CHECK(clWaitForEvents(1, &event));
    CHECK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof begin, &begin, NULL));
    CHECK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL));
    // The simulated card takes microseconds, and not what the host needs.
    expect(end > begin && end - begin < 1000000, "time of the sum");
    for (uint32_t n = 0; n < 20; n++) launch(made, "plus", memory, n);
    read_words(memory, back);
    for (uint32_t i = 0; i < WORDS; i++) is_right &= back[i] == i * i + 1190;
    expect(is_right, "20 launches in a row");
    launch(made, "turn", memory, 0);
    read_words(memory, back);
    for (uint32_t i = 0; i < WORDS; i++) {
        uint32_t from = i / 64 * 64 + 63 - i % 64;
        is_right &= back[i] == from * from + 1190;
    }
    expect(is_right, "work-groups turned round in LDS");
    for (int n = 0; n < 3; n++) {
        const uint32_t zero = 0;
        launch(made, "clock", memory, 0);
        read_words(memory, back);
        clocks[n] = back[0] | (uint64_t)back[1] << 32;
        // Mesa fills with a kernel of its own, which is no launch.
        CHECK(clEnqueueFillBuffer(queue, memory, &zero, 4, 0, sizeof words, 0, NULL, NULL));
    }
    printf("clocks: %llu %llu\n", (unsigned long long)(clocks[1] - clocks[0]),
           (unsigned long long)(clocks[2] - clocks[1]));
    CHECK(clReleaseMemObject(memory));
}

// Launches a kernel three times: WHAT is `wait`, `query`, or `large` (a large allocation before).
static void fault(const char *file, const char *name, const char *what) {
    cl_program made = program(file);
    uint32_t zeros[WORDS] = {0};
    if (strcmp(what, "large") == 0) {
        size_t bytes = 256 << 20;
        cl_mem large = buffer(bytes, CL_MEM_READ_WRITE, NULL);
        CHECK(clEnqueueFillBuffer(queue, large, zeros, 4, 0, bytes, 0, NULL, NULL));
        CHECK(clFinish(queue));
    }
    cl_mem memory = buffer(sizeof zeros, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, zeros);
    const char *given = getenv("POLLS");
    int polls = given ? atoi(given) : 2500;
    for (int n = 1; n <= 3; n++) {
        cl_event event = launch(made, name, memory, 1);
        CHECK(clFlush(queue));
        cl_int status = CL_SUBMITTED;
        if (strcmp(what, "query") == 0) {
            for (int i = 0; i < polls && status > CL_COMPLETE; i++) {
                struct timespec pause = {0, 2000000};
                CHECK(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
                nanosleep(&pause, NULL);
            }
            printf("launch %d: status %d\n", n, status);
            if (status != CL_COMPLETE) exit(3);
        } else {
            CHECK(clWaitForEvents(1, &event));
            printf("launch %d: done\n", n);
        }
    }
}

int main(int count, char **arguments) {
    setvbuf(stdout, NULL, _IOLBF, 0);
    const char *what = count > 1 ? arguments[1] : "";
    if (strcmp(what, "list") == 0) {
        list();
        return 0;
    }
    start();
    if (strcmp(what, "memory") == 0) {
        copies(1, "copies of 1 byte");
        copies(4099, "copies of 4099 bytes");
        copies(LARGE, "copies of 1 MiB and 4 bytes");
        fills();
    } else if (strcmp(what, "kernels") == 0 && count == 3) {
        kernels(arguments[2]);
    } else if (strcmp(what, "fault") == 0 && count == 5) {
        fault(arguments[2], arguments[3], arguments[4]);
    } else {
        return 64;
    }
    puts("end");
    return 0;
}
