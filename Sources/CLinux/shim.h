// Functions of Linux that the Swift module of its C library lacks: variadic functions, and extensions of GNU. _GNU_SOURCE is
// not set here. It changes structures of the C library, and a program that also imports Dispatch would have two of each.
#ifndef LATCHKEY_CLINUX_SHIM_H
#define LATCHKEY_CLINUX_SHIM_H

// The structures of the C library stay those of the Swift module of the same name, in whatever order a program loads the two.
#pragma clang module import SwiftGlibc

#include <errno.h>
#include <fcntl.h>
#include <linux/fscrypt.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

/// Closes the process to every user but root, and keeps it from writing a core file.
static inline int latchkey_forbid_inspection(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

/// Returns 1 if users other than root can look into the process.
static inline int latchkey_allows_inspection(void) { return prctl(PR_GET_DUMPABLE, 0, 0, 0, 0); }

/// Reads which process connected the other end of a socket; returns -1 if that is unknown.
static inline int latchkey_peer(int socket, pid_t *process, uid_t *user) {
    // This is the layout of struct ucred, which only GNU's headers declare.
    struct { pid_t pid; uid_t uid; gid_t gid; } peer = {0, (uid_t)-1, (gid_t)-1};
    socklen_t size = sizeof(peer);
    if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0 || size != sizeof(peer)) return -1;
    *process = peer.pid;
    *user = peer.uid;
    return 0;
}

/// Returns a descriptor of the process that connected the other end of a socket, which no other process can get; -1 if
/// that process is gone or the system has no such descriptors. Linux has them since 6.5.
static inline int latchkey_peer_process(int socket) {
#ifdef SO_PEERPIDFD
    const int option = SO_PEERPIDFD;
#else
    const int option = 77;
#endif
    int process = -1;
    socklen_t size = sizeof(process);
    if (getsockopt(socket, SOL_SOCKET, option, &process, &size) != 0 || size != sizeof(process)) return -1;
    return process;
}

/// Makes a file in memory that no path leads to. Returns its descriptor, or -1.
static inline int latchkey_memory_file(void) {
    // MFD_CLOEXEC and MFD_ALLOW_SEALING, which only GNU's headers declare.
    return (int)syscall(SYS_memfd_create, "latchkey", 1u | 2u);
}

/// Seals a file in memory against every change, and against more seals. Returns -1 if that fails.
static inline int latchkey_seal_memory_file(int file) {
    // F_ADD_SEALS with F_SEAL_SEAL, F_SEAL_SHRINK, F_SEAL_GROW and F_SEAL_WRITE.
    return fcntl(file, 1033, 1 | 2 | 4 | 8);
}

/// Makes the started process lead its own session, so that signals of the terminal do not reach it.
static inline short latchkey_spawn_in_own_session(void) {
#ifdef POSIX_SPAWN_SETSID
    return POSIX_SPAWN_SETSID;
#else
    return 0x80;
#endif
}

/// Available since glibc 2.34; a null pointer before.
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *, int) __attribute__((weak));

/// Makes the started process close every descriptor from `first` on. Returns 0, or the system's error number.
static inline int latchkey_spawn_closing_from(posix_spawn_file_actions_t *actions, int first) {
    if (!posix_spawn_file_actions_addclosefrom_np) return ENOSYS;
    return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

/// Creates a pipe that no child inherits, not even one that another thread starts at the same time.
static inline int latchkey_pipe(int ends[2]) { return (int)syscall(SYS_pipe2, ends, O_CLOEXEC); }

/// Returns a descriptor from which to read these signals, which have to be blocked.
static inline int latchkey_signals(const sigset_t *signals) { return signalfd(-1, signals, SFD_CLOEXEC); }

/// Makes the allocator return large blocks to the system at once, and share the memory for small ones between threads.
static inline void latchkey_keep_memory_small(void) {
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 128 * 1024);
    mallopt(M_TRIM_THRESHOLD, 1024 * 1024);
    mallopt(M_ARENA_MAX, 2);
#endif
}

/// Returns a descriptor that becomes readable when this process has ended; -1 if there is none.
static inline int latchkey_watch_process(pid_t process) {
#ifdef SYS_pidfd_open
    return (int)syscall(SYS_pidfd_open, process, 0);
#else
    errno = ENOSYS;
    return -1;
#endif
}

/// Renames a file unless the new name is taken. Returns 0, or the system's error number: EINVAL if the file system cannot do it.
static inline int latchkey_rename_to_new(const char *from, const char *to) {
#ifdef SYS_renameat2
    // AT_FDCWD is -100 and RENAME_NOREPLACE 1 in every version of Linux.
    return syscall(SYS_renameat2, -100, from, -100, to, 1U) == 0 ? 0 : errno;
#else
    return ENOSYS;
#endif
}

/// Exchanges two names in an open folder in one step. Returns 0 or the system's error number: EINVAL if the file system cannot do it.
static inline int latchkey_exchange(int folder, const char *one, const char *other) {
#ifdef SYS_renameat2
    // RENAME_EXCHANGE is 2 in every version of Linux.
    return syscall(SYS_renameat2, folder, one, folder, other, 2U) == 0 ? 0 : errno;
#else
    return ENOSYS;
#endif
}

/// Writes everything that changed on the file system of an open file to the disk. Returns 0 or the system's error number.
static inline int latchkey_sync_file_system(int file) {
    return syscall(SYS_syncfs, file) == 0 ? 0 : errno;
}

/// Sends a signal to the process of a descriptor from latchkey_watch_process. Returns 0 or the system's error number.
static inline int latchkey_signal_process(int process, int number) {
#ifdef SYS_pidfd_send_signal
    return syscall(SYS_pidfd_send_signal, process, number, 0, 0U) == 0 ? 0 : errno;
#else
    return ENOSYS;
#endif
}

/// Reads the attributes of a file (STATX_ATTR_...), of a symbolic link itself; with an empty name, of the open file. Returns 0 or the
/// system's error number.
static inline int latchkey_file_attributes(int folder, const char *name, unsigned long long *attributes) {
#ifdef SYS_statx
    // The layout of struct statx, which only GNU's headers declare: the attributes follow two numbers of 32 bits. The flags are
    // AT_SYMLINK_NOFOLLOW and AT_EMPTY_PATH.
    unsigned long long found[32] = {0};
    if (syscall(SYS_statx, folder, name, 0x100 | 0x1000, 0U, found) != 0) return errno;
    *attributes = found[1];
    return 0;
#else
    return ENOSYS;
#endif
}

/// Finds out if an open folder ignores the case of names. Returns 0 or the system's error number.
static inline int latchkey_folds_case(int folder, int *folds) {
    // FS_IOC_GETFLAGS is declared with a long, and writes an int. FS_CASEFOLD_FL is 0x40000000.
    unsigned int flags[2] = {0, 0};
    if (ioctl(folder, _IOR('f', 1, long), flags) != 0) return errno;
    *folds = (flags[0] & 0x40000000u) != 0;
    return 0;
}

/// Closes every descriptor from `first` on.
static inline int latchkey_close_from(unsigned first) {
#ifdef SYS_close_range
    return (int)syscall(SYS_close_range, first, ~0U, 0);
#else
    errno = ENOSYS;
    return -1;
#endif
}

/// Returns 1 if the files of this folder are in memory (tmpfs or ramfs), 0 if not, and -1 if the system does not say.
static inline int latchkey_is_in_memory(const char *folder) {
    // The layout of struct statfs: its first member is the type. Its header would take struct stat away from the C library.
    long system[64] = {0};
    if (syscall(SYS_statfs, folder, system) != 0) return -1;
    return system[0] == 0x01021994 || system[0] == 0x858458f6;
}

/// Reads by which key a folder is encrypted. Returns 0 and the 16 bytes of the key's identifier; -1 if the folder is encrypted in
/// another way than by latchkey_encrypt_folder; or the system's error number: ENODATA if it is not encrypted.
static inline int latchkey_folder_encryption(int folder, unsigned char identifier[16]) {
    struct fscrypt_get_policy_ex_arg found;
    memset(&found, 0, sizeof(found));
    found.policy_size = sizeof(found.policy);
    if (ioctl(folder, FS_IOC_GET_ENCRYPTION_POLICY_EX, &found) != 0) return errno == EOVERFLOW ? -1 : errno;
    const struct fscrypt_policy_v2 *policy = &found.policy.v2;
    if (policy->version != FSCRYPT_POLICY_V2 || policy->contents_encryption_mode != FSCRYPT_MODE_AES_256_XTS ||
        policy->filenames_encryption_mode != FSCRYPT_MODE_AES_256_CTS || policy->flags != FSCRYPT_POLICY_FLAGS_PAD_32)
        return -1;
    memcpy(identifier, policy->master_key_identifier, 16);
    return 0;
}

/// Has the kernel encrypt what is created in an empty folder from now on. Returns 0 or the system's error number.
static inline int latchkey_encrypt_folder(int folder, const unsigned char identifier[16]) {
    struct fscrypt_policy_v2 policy;
    memset(&policy, 0, sizeof(policy));
    policy.version = FSCRYPT_POLICY_V2;
    policy.contents_encryption_mode = FSCRYPT_MODE_AES_256_XTS;
    policy.filenames_encryption_mode = FSCRYPT_MODE_AES_256_CTS;
    policy.flags = FSCRYPT_POLICY_FLAGS_PAD_32;
    memcpy(policy.master_key_identifier, identifier, 16);
    return ioctl(folder, FS_IOC_SET_ENCRYPTION_POLICY, &policy) == 0 ? 0 : errno;
}

/// Gives a file system a key of 64 bytes, and reads the identifier that the kernel derives from it. Returns 0 or the system's error
/// number.
static inline int latchkey_add_folder_key(int folder, const void *key, unsigned char identifier[16]) {
    // The kernel takes the key behind a header, so it has to be copied once. The copy has a page of its own, which is kept from the
    // swap if the process may lock memory, and which neither a core file nor a child gets.
    const size_t size = sizeof(struct fscrypt_add_key_arg) + FSCRYPT_MAX_KEY_SIZE;
    struct fscrypt_add_key_arg *added =
        (struct fscrypt_add_key_arg *)mmap(0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (added == MAP_FAILED) return errno;
    mlock(added, size);
    madvise(added, size, MADV_DONTDUMP);
    madvise(added, size, MADV_DONTFORK);
    added->key_spec.type = FSCRYPT_KEY_SPEC_TYPE_IDENTIFIER;
    added->raw_size = FSCRYPT_MAX_KEY_SIZE;
    memcpy(added->raw, key, FSCRYPT_MAX_KEY_SIZE);
    const int code = ioctl(folder, FS_IOC_ADD_ENCRYPTION_KEY, added) == 0 ? 0 : errno;
    memcpy(identifier, added->key_spec.u.identifier, 16);
    explicit_bzero(added, size);
    munmap(added, size);
    return code;
}

/// Takes a key back from a file system. Returns 0 and the flags of what remains, or the system's error number.
static inline int latchkey_remove_folder_key(int folder, const unsigned char identifier[16], unsigned *flags) {
    struct fscrypt_remove_key_arg removed;
    memset(&removed, 0, sizeof(removed));
    removed.key_spec.type = FSCRYPT_KEY_SPEC_TYPE_IDENTIFIER;
    memcpy(removed.key_spec.u.identifier, identifier, 16);
    if (ioctl(folder, FS_IOC_REMOVE_ENCRYPTION_KEY, &removed) != 0) return errno;
    *flags = removed.removal_status_flags;
    return 0;
}

/// Reads the state of a key: 1 absent, 2 present, 3 incompletely removed; and whether this user has added it. Returns 0 or the
/// system's error number.
static inline int latchkey_folder_key_state(
    int folder, const unsigned char identifier[16], unsigned *state, int *is_own, unsigned *users) {
    struct fscrypt_get_key_status_arg found;
    memset(&found, 0, sizeof(found));
    found.key_spec.type = FSCRYPT_KEY_SPEC_TYPE_IDENTIFIER;
    memcpy(found.key_spec.u.identifier, identifier, 16);
    if (ioctl(folder, FS_IOC_GET_ENCRYPTION_KEY_STATUS, &found) != 0) return errno;
    *state = found.status;
    *is_own = (found.status_flags & FSCRYPT_KEY_STATUS_FLAG_ADDED_BY_SELF) != 0;
    *users = found.user_count;
    return 0;
}

#endif
