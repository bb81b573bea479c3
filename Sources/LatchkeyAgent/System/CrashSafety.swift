internal import CLinux
internal import Glibc

/// Keeps a process that may hold secrets from leaving anything behind when it crashes.
package enum CrashSafety: Sendable {
    /// The limit of cores that the process was started with. Children get it back.
    private static let coresAtBirth: rlimit = {
        var limit = rlimit()
        getrlimit(cores, &limit)
        return limit
    }()

    private static let cores = __rlimit_resource_t(RLIMIT_CORE.rawValue)

    /// Has a crash end the process at once, without a core and without words about its registers. A process does this first.
    ///
    /// Others may still look into it, so an agent can read which program it is: ``shutOff()`` comes later.
    package static func begin() {
        restoreFatalSignals()
        forbidCores()
    }

    /// Sets the signals of a crash to what the system does with them. Swift's runtime has handlers for them that print what lies
    /// in registers and memory. A signal that is ignored stays ignored.
    static func restoreFatalSignals() {
        for number in [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGQUIT, SIGSEGV, SIGTRAP] where !isIgnored(number) {
            signal(number, SIG_DFL)
        }
    }

    /// Returns whether the process ignores a signal.
    package static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        sigaction(number, nil, &action)
        // Swift cannot compare it with SIG_IGN, which is the address 1.
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
    }

    private static func forbidCores() {
        var limit = coresAtBirth
        // Linux hands a core to a program such as systemd-coredump whatever the limit is, even 0, but never at a limit of 1.
        limit.rlim_cur = min(1, limit.rlim_max)
        setrlimit(cores, &limit)
    }

    /// Starts a child by `body`, which gets the limit of cores that this process was started with.
    package static func withLimitsOfBirth<Result>(_ body: () -> Result) -> Result {
        var limit = coresAtBirth
        setrlimit(cores, &limit)
        defer { forbidCores() }
        return body()
    }

    /// Shuts the process off: from now on only root may look into it, and it leaves no core. Throws where the system refuses.
    ///
    /// An agent of the same user cannot see any more which program it is. Call this once the agent has greeted, and before the
    /// process holds a secret or a passcode.
    package static func shutOff() throws(Fault) {
        guard latchkey_forbid_inspection() == 0, latchkey_allows_inspection() == 0 else {
            throw Fault(.agent, "latchkey could not make its memory private, so it opened nothing")
        }
    }
}
