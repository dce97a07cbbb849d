/* The driver's largest buffer as SMALL_BUFFERS says it: clpeak sizes its grids by it, and a simulated card is slow. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define CL_DEVICE_MAX_MEM_ALLOC_SIZE 0x1010

typedef int32_t (*get_device_info)(void *, uint32_t, size_t, void *, size_t *);

int32_t clGetDeviceInfo(void *device, uint32_t name, size_t size, void *value, size_t *needed)
{
    get_device_info drivers = (get_device_info)dlsym(RTLD_NEXT, "clGetDeviceInfo");
    int32_t status = drivers(device, name, size, value, needed);
    uint64_t bytes = strtoull(getenv("SMALL_BUFFERS"), NULL, 10);
    if (status == 0 && name == CL_DEVICE_MAX_MEM_ALLOC_SIZE && value != NULL && size >= sizeof bytes)
        memcpy(value, &bytes, sizeof bytes);
    return status;
}
