internal import Glibc
package import LinuxSystem

/// What a process that holds keys does before it has any.
enum Hardening {
    /// What of the environment is kept: where things are, and in which language to speak.
    static let kept = [
        "HOME", "LANG", "LC_ALL", "LC_MESSAGES", "LATCHKEY_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR",
        "DBUS_SYSTEM_BUS_ADDRESS", "NOTIFY_SOCKET", AgentStart.readyVariable,
    ]

    /// Nobody but root looks in from here on, and nothing is left behind: no core, no file that others can read, no folder in
    /// use, no variable that somebody set for something else.
    static func apply() throws(AgentError) {
        try CrashSafety.shutOff()
        if isTraced {
            throw AgentError(.agent, "this process is being traced, and will hold no keys: start it without a debugger")
        }
        guard LimitedResource.cores.set(LimitedResource.Limit(current: 0, highest: 0)) else {
            throw .system("the limit of cores")
        }
        CrashSafety.restoreFatalSignals()
        CrashSafety.keepMemorySmall()
        umask(0o077)
        guard chdir("/") == 0 else { throw .system("/") }
        // Copied as bytes: a path need not be UTF-8.
        let values = kept.map { name in (name, getenv(name).flatMap { strdup($0) }) }
        defer { for (_, value) in values { free(value) } }
        clearenv()
        setenv("PATH", "/usr/local/bin:/usr/bin:/bin", 1)
        for (name, value) in values { if let value { setenv(name, value, 1) } }
    }

    /// Whoever traced it before it was shut off still does.
    private static var isTraced: Bool {
        let file = open("/proc/self/status", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return false }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 8192)
        let count = max(0, read(file, &bytes, bytes.count))
        return String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n").contains { line in
            line.hasPrefix("TracerPid:") && line.split(whereSeparator: \.isWhitespace).last != "0"
        }
    }
}

extension CrashSafety {
    /// Shuts the process off: from now on only root may look into it, and it leaves no core. Throws where the system refuses.
    ///
    /// An agent of the same user cannot see any more which program it is. Call this once the agent has greeted, and before the
    /// process holds a secret or a passcode.
    package static func shutOff() throws(AgentError) {
        guard forbidInspection() else {
            throw AgentError(.agent, "latchkey could not make its memory private, so it opened nothing")
        }
    }
}
