#include "CSandbox.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#if defined(__x86_64__)
#define NATIVE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define NATIVE AUDIT_ARCH_AARCH64
#else
#error "The filter of system calls has to know the numbers of this processor's"
#endif

#define FIELD(name) ((unsigned)offsetof(struct seccomp_data, name))
#define LOAD(offset) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset)
#define DENY(code) BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (code))
#define ALLOW BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
/// Goes on with the next instruction if the value is this one, and otherwise skips so many.
#define IF_EQUAL(value, skipped) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, skipped)
#define DENY_CALL(number, code) IF_EQUAL(number, 1), DENY(code)

size_t latchkey_call_filter(void *room, size_t size) {
    const struct sock_filter filter[] = {
        // Calls of another kind of processor have other numbers: programs of 32 bits, and x32.
        LOAD(FIELD(arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, NATIVE, 1, 0),
        DENY(ENOSYS),
        LOAD(FIELD(nr)),
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),
        DENY(ENOSYS),
        // The keys of a user are those of the sandbox's user too.
        DENY_CALL(SYS_keyctl, ENOSYS),
        DENY_CALL(SYS_add_key, ENOSYS),
        DENY_CALL(SYS_request_key, ENOSYS),
        // Its operations pass no filter.
        DENY_CALL(SYS_io_uring_setup, ENOSYS),
        // The kernel takes the lower half of this argument.
        IF_EQUAL(SYS_ioctl, 6),
        LOAD(FIELD(args[1])),
        DENY_CALL(TIOCSTI, EPERM),
        DENY_CALL(TIOCLINUX, EPERM),
        ALLOW,
        // Other families, such as those of virtual machines and of Bluetooth, have no namespaces.
        IF_EQUAL(SYS_socket, 6),
        LOAD(FIELD(args[0])),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_UNIX, 4, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_INET, 3, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_INET6, 2, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_NETLINK, 1, 0),
        DENY(EAFNOSUPPORT),
        ALLOW,
    };
    if (size < sizeof(filter)) return 0;
    memcpy(room, filter, sizeof(filter));
    return sizeof(filter);
}
