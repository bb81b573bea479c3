internal import CLinux
internal import Glibc

/// Starts an agent in a session of its own, and waits until it answers.
package enum AgentStart: Sendable {
    /// The variable that says which descriptor the agent tells through that it is ready, or why it is not.
    package static let readyVariable = "LATCHKEY_READY"
    /// How long an agent may take to open its vault, in milliseconds.
    static let patience: Int32 = 30_000

    static func run(_ command: [String]) throws(Fault) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw .system("a pipe") }
        let (reading, writing) = (ends[0], ends[1])
        defer { close(reading) }
        _ = fcntl(reading, F_SETFD, FD_CLOEXEC)
        do throws(Fault) { try spawn(command, writing) } catch {
            close(writing)
            throw error
        }
        close(writing)
        if let trouble = try heard(from: reading) { throw Fault(.agent, trouble) }
    }

    private static func spawn(_ command: [String], _ writing: Int32) throws(Fault) {
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        for (descriptor, flags) in [(STDIN_FILENO, O_RDONLY), (STDOUT_FILENO, O_WRONLY), (STDERR_FILENO, O_WRONLY)] {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", flags, 0)
        }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(
            &attributes,
            latchkey_spawn_in_own_session() | Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF))
        var arguments: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var variables: [UnsafeMutablePointer<CChar>?] = environment(writing) + [nil]
        defer { for variable in variables { free(variable) } }
        var process: pid_t = 0
        let code = posix_spawn(&process, "/proc/self/exe", &actions, &attributes, &arguments, &variables)
        guard code == 0 else { throw .system("the agent", code) }
    }

    /// Returns the variables of the agent, byte for byte as they are here. The caller frees them.
    private static func environment(_ writing: Int32) -> [UnsafeMutablePointer<CChar>?] {
        // A service manager waits for the caller, not for the agent that the caller starts.
        let inherited = Hardening.kept.filter { $0 != "NOTIFY_SOCKET" }.compactMap { name in
            getenv(name).map { value in
                strdup("\(name)=".utf8CString.dropLast() + UnsafeBufferPointer(start: value, count: strlen(value) + 1))
            }
        }
        return inherited + [strdup("\(readyVariable)=\(writing)")]
    }

    /// What the agent complains of; nil where it is ready.
    private static func heard(from reading: Int32) throws(Fault) -> String? {
        let deadline = Deadline(patience)
        var text: [UInt8] = []
        while true {
            var waited = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
            let count = poll(&waited, 1, deadline.left)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else {
                throw Fault(.agent, "the agent does not come up: try latchkey agent to see why")
            }
            var bytes = [UInt8](repeating: 0, count: 4096)
            let got = read(reading, &bytes, bytes.count)
            if got <= 0 { break }
            text += bytes[..<got]
        }
        let said = String(decoding: text, as: UTF8.self)
        if said == ready { return nil }
        return said.isEmpty ? "the agent ended without a word: try latchkey agent to see why" : said
    }

    private static let ready = "ready\n"

    /// Tells whoever has started this process that requests are answered, or why they are not. What was told once is not told
    /// again.
    package static func tell(_ trouble: String? = nil) {
        guard let text = getenv(readyVariable), let descriptor = Int32(String(cString: text)) else { return }
        unsetenv(readyVariable)
        let bytes = Array((trouble ?? ready).utf8)
        _ = write(descriptor, bytes, bytes.count)
        close(descriptor)
    }

    /// The descriptor that it is told through, if somebody waits for that.
    package static var descriptor: Int32? { getenv(readyVariable).flatMap { Int32(String(cString: $0)) } }
}
