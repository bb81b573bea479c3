internal import CLinux
internal import Glibc

/// Measures that keep a process from leaving secrets behind when it crashes.
package enum CrashSafety: Sendable {
    /// The limit of core dumps that the process started with. Children get it back.
    private static let coresAtBirth = LimitedResource.cores.limit

    /// Makes a crash end the process at once, without a core dump and without printing its registers. Call this first
    /// in a process.
    ///
    /// Other processes can still inspect this one, so an agent can read which program it is. ``forbidInspection()``
    /// comes later.
    package static func begin() {
        restoreFatalSignals()
        forbidCores()
    }

    /// Restores the default effect of the signals of a crash. Swift's runtime has handlers for them that print
    /// registers and memory. A signal that is ignored stays ignored.
    package static func restoreFatalSignals() {
        for number in [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGQUIT, SIGSEGV, SIGTRAP] where !Signals.isIgnored(number) {
            signal(number, SIG_DFL)
        }
    }

    private static func forbidCores() {
        var limit = coresAtBirth
        // Linux gives a core dump to a program such as systemd-coredump at any limit, even 0, except at a limit of 1.
        limit.current = min(1, limit.highest)
        _ = LimitedResource.cores.set(limit)
    }

    /// Runs `body`, which starts a child, with the limit of core dumps that this process started with.
    package static func withLimitsOfBirth<Result>(_ body: () -> Result) -> Result {
        _ = LimitedResource.cores.set(coresAtBirth)
        defer { forbidCores() }
        return body()
    }

    /// Makes the process not dumpable: from now on only root can inspect it, and it leaves no core dump. Returns false
    /// if the system refuses.
    package static func forbidInspection() -> Bool {
        latchkey_forbid_inspection() == 0 && latchkey_allows_inspection() == 0
    }

    /// Returns large blocks of memory to the system as soon as they are freed, so that many requests at once do not
    /// leave the process large.
    package static func keepMemorySmall() { latchkey_keep_memory_small() }
}
