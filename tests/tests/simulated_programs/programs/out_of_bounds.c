/* Launches a kernel that stores far behind its buffer, through HIP's library of any version: out_of_bounds LIBRARY CODE_OBJECT.
 * Prints the error that HIP gives, where HIP does not abort. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>

static const char *(*name_of)(int);

static void check(const char *what, int error) {
    printf("%s: %s\n", what, name_of(error));
    fflush(stdout);
}

int main(int count, char **words) {
    void *hip = count == 3 ? dlopen(words[1], RTLD_NOW) : NULL;
    if (!hip) return fprintf(stderr, "%s\n", dlerror()), 2;
    int (*allocate)(void **, size_t), (*load)(void **, const char *), (*find)(void **, void *, const char *), (*finish)(void);
    int (*launch)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **);
    *(void **)&name_of = dlsym(hip, "hipGetErrorName");
    *(void **)&allocate = dlsym(hip, "hipMalloc");
    *(void **)&load = dlsym(hip, "hipModuleLoad");
    *(void **)&find = dlsym(hip, "hipModuleGetFunction");
    *(void **)&launch = dlsym(hip, "hipModuleLaunchKernel");
    *(void **)&finish = dlsym(hip, "hipDeviceSynchronize");
    void *module, *kernel;
    uint64_t buffer;
    check("hipMalloc", allocate((void **)&buffer, 4096));
    check("hipModuleLoad", load(&module, words[2]));
    check("hipModuleGetFunction", find(&kernel, module, "out_of_bounds"));
    size_t size = sizeof buffer;
    void *arguments[] = {(void *)1, &buffer, (void *)2, &size, (void *)3};
    check("hipModuleLaunchKernel", launch(kernel, 2, 1, 1, 64, 1, 1, 0, NULL, NULL, arguments));
    check("hipDeviceSynchronize", finish());
    return 0;
}
