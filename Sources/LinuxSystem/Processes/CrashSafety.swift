internal import CLinux
internal import Glibc

/// Keeps a process that may hold secrets from leaving anything behind when it crashes.
package enum CrashSafety: Sendable {
    /// The limit of cores that the process was started with. Children get it back.
    private static let coresAtBirth = LimitedResource.cores.limit

    /// Has a crash end the process at once, without a core and without words about its registers. A process does this first.
    ///
    /// Others may still look into it, so an agent can read which program it is: ``forbidInspection()`` comes later.
    package static func begin() {
        restoreFatalSignals()
        forbidCores()
    }

    /// Sets the signals of a crash to what the system does with them. Swift's runtime has handlers for them that print what lies
    /// in registers and memory. A signal that is ignored stays ignored.
    package static func restoreFatalSignals() {
        for number in [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGQUIT, SIGSEGV, SIGTRAP] where !Signals.isIgnored(number) {
            signal(number, SIG_DFL)
        }
    }

    private static func forbidCores() {
        var limit = coresAtBirth
        // Linux hands a core to a program such as systemd-coredump whatever the limit is, even 0, but never at a limit of 1.
        limit.current = min(1, limit.highest)
        _ = LimitedResource.cores.set(limit)
    }

    /// Starts a child by `body`, which gets the limit of cores that this process was started with.
    package static func withLimitsOfBirth<Result>(_ body: () -> Result) -> Result {
        _ = LimitedResource.cores.set(coresAtBirth)
        defer { forbidCores() }
        return body()
    }

    /// Shuts the process off: from now on only root may look into it, and it leaves no core. Returns false if the system refuses.
    package static func forbidInspection() -> Bool {
        latchkey_forbid_inspection() == 0 && latchkey_allows_inspection() == 0
    }

    /// Gives large blocks of memory back to the system as soon as they are freed, so that many requests at once do not leave the
    /// process as large as they have made it.
    package static func keepMemorySmall() { latchkey_keep_memory_small() }
}
