/* Copies of SIZES bytes to the card, on the card and back, through HIP's library of any version: copies LIBRARY SIZE...
 * Prints one line a size; ends with 1 where a call fails or a dword differs. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { TO_DEVICE = 1, TO_HOST = 2, ON_DEVICE = 3 };

static int (*allocate)(void **, size_t), (*release)(void *), (*copy)(void *, const void *, size_t, int), (*finish)(void);

static size_t differences(size_t bytes) {
    size_t count = bytes / 4, differ = 0;
    uint32_t *from = malloc(bytes), *back = calloc(count, 4);
    void *first, *second;
    for (size_t at = 0; at < count; at++) from[at] = (uint32_t)at * 2654435761u + 1;
    int failed = allocate(&first, bytes) | allocate(&second, bytes);
    failed |= copy(first, from, bytes, TO_DEVICE) | copy(second, first, bytes, ON_DEVICE) | finish();
    failed |= copy(back, second, bytes, TO_HOST);
    for (size_t at = 0; at < count; at++) differ += from[at] != back[at];
    failed |= release(first) | release(second);
    free(from);
    free(back);
    return failed ? count : differ;
}

int main(int count, char **words) {
    void *hip = dlopen(words[1], RTLD_NOW);
    if (!hip) return fprintf(stderr, "%s\n", dlerror()), 2;
    *(void **)&allocate = dlsym(hip, "hipMalloc");
    *(void **)&release = dlsym(hip, "hipFree");
    *(void **)&copy = dlsym(hip, "hipMemcpy");
    *(void **)&finish = dlsym(hip, "hipDeviceSynchronize");
    int wrong = 0;
    for (int word = 2; word < count; word++) {
        size_t differ = differences(strtoull(words[word], NULL, 10));
        printf("%s bytes: %zu dwords differ\n", words[word], differ);
        wrong |= differ != 0;
    }
    return wrong;
}
