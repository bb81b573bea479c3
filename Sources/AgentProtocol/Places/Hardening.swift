internal import Glibc
package import LinuxSystem

/// The protection of a process before it holds keys.
package enum Hardening {
    /// The environment variables that an agent keeps: for paths, for the language, and for the service manager.
    package static let kept = [
        "HOME", "LANG", "LC_ALL", "LC_MESSAGES", "LATCHKEY_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR",
        "DBUS_SYSTEM_BUS_ADDRESS", "DBUS_SESSION_BUS_ADDRESS", "NOTIFY_SOCKET", AgentStart.readyVariable,
    ]

    /// Protects the process: only root can look into it, it leaves no core, and its files are private. It also leaves
    /// its working folder and drops every variable that it does not need.
    package static func apply() throws(AgentError) {
        try CrashSafety.shutOff()
        if isTraced {
            throw AgentError(.agent, "this process is being traced, so it holds no keys: start it without a debugger")
        }
        guard LimitedResource.cores.set(LimitedResource.Limit(current: 0, highest: 0)) else {
            throw .system("the limit of cores")
        }
        CrashSafety.restoreFatalSignals()
        CrashSafety.keepMemorySmall()
        umask(0o077)
        guard chdir("/") == 0 else { throw .system("/") }
        // Copy bytes, because a path need not be UTF-8.
        let values = kept.map { name in (name, getenv(name).flatMap { strdup($0) }) }
        defer { for (_, value) in values { free(value) } }
        clearenv()
        setenv("PATH", "/usr/local/bin:/usr/bin:/bin", 1)
        for (name, value) in values { if let value { setenv(name, value, 1) } }
    }

    /// True if a process traces this one. A tracer that attached earlier keeps its access.
    package static var isTraced: Bool {
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
    /// Closes the process to other programs: only root may look into it, and it leaves no core. Call this before the
    /// process holds a secret or a passcode, but after the agent has greeted it, since from here on the agent cannot
    /// see which program it runs.
    ///
    /// - Throws: ``AgentError`` if the system refuses.
    package static func shutOff() throws(AgentError) {
        guard forbidInspection() else {
            throw AgentError(.agent, "latchkey could not make its memory private, so it opened nothing")
        }
    }
}
