// Synchronisation objects as libdrm asks for them (Linux 6.1, include/uapi/drm/drm.h). Each line says what was asked and the error number.

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/ioctl.h>

struct capability { uint64_t number, value; };
struct create { uint32_t handle, flags; };
struct destroy { uint32_t handle, pad; };
struct wait { uint64_t handles; int64_t timeout; uint32_t count, flags, first, pad; };

#define GET_CAP _IOWR('d', 0x0c, struct capability)
#define CREATE _IOWR('d', 0xbf, struct create)
#define DESTROY _IOWR('d', 0xc0, struct destroy)
#define WAIT _IOWR('d', 0xc3, struct wait)
#define SIGNALLED 1
#define ALL 1
#define FOR_SUBMISSION 2

static int node;

static void ask(const char *what, unsigned long request, void *argument) {
    printf("%s: %d\n", what, ioctl(node, request, argument) == 0 ? 0 : errno);
}

int main(void) {
    node = open("/dev/dri/renderD128", O_RDWR);
    struct capability capability = {.number = 0x13};
    ask("capability", GET_CAP, &capability);
    printf("value: %d\n", (int)capability.value);
    struct create new = {0}, signalled = {.flags = SIGNALLED}, wrong = {.flags = 2};
    ask("create", CREATE, &new);
    ask("create signalled", CREATE, &signalled);
    ask("create with a wrong flag", CREATE, &wrong);
    uint32_t handles[] = {new.handle, signalled.handle};
    struct wait wait = {.handles = (uintptr_t)handles, .count = 2};
    ask("wait without a submission", WAIT, &wait);
    wait.flags = FOR_SUBMISSION;
    ask("wait for any", WAIT, &wait);
    printf("first: %u\n", wait.first);
    wait.flags = FOR_SUBMISSION | ALL;
    ask("wait for all", WAIT, &wait);
    wait.count = 0;
    ask("wait for none", WAIT, &wait);
    for (int i = 0; i < 2; i++) {
        struct destroy destroy = {.handle = new.handle};
        ask("destroy", DESTROY, &destroy);
    }
    wait.count = 1;
    ask("wait for nothing that exists", WAIT, &wait);
    return 0;
}
