internal import Glibc
package import LinuxSystem

/// Starts an agent in its own session, and waits until it answers.
package enum AgentStart: Sendable {
    /// The variable with the descriptor on which the agent reports that it is ready, or why it is not.
    package static let readyVariable = "LATCHKEY_READY"
    /// The time that an agent may take to open its vault, in milliseconds.
    package static let patience: Int32 = 30_000

    /// Starts the agent of the vault in this folder.
    package static func run(ofVaultIn folder: String) throws(AgentError) {
        guard let program = OwnProgram.agent.path else { throw AgentError(.agent, OwnProgram.agent.absence) }
        let pipe: Pipe
        do { pipe = try Pipe() } catch { throw .system("a pipe", error.code) }
        defer { close(pipe.reading) }
        do {
            defer { close(pipe.writing) }
            var child = Child()
            (child.input, child.output, child.errors) = (.nothing, .nothing, .nothing)
            child.kept = [pipe.writing]
            child.company = .ownSession
            let words = [OwnProgram.agent.rawValue, "--vault", folder]
            do { _ = try child.start(program, words, environment: environment(pipe.writing)) } catch {
                throw AgentError.system("the agent", error.code)
            }
        }
        if let trouble = try heard(from: pipe.reading) { throw AgentError(.agent, trouble) }
    }

    /// Returns the variables of the agent, byte for byte as they are here.
    private static func environment(_ writing: Int32) -> [[CChar]] {
        // A service manager waits for the caller, and not for the agent that the caller starts.
        let inherited = Hardening.kept.filter { $0 != "NOTIFY_SOCKET" }.compactMap { name in
            getenv(name).map { value in
                "\(name)=".utf8CString.dropLast() + UnsafeBufferPointer(start: value, count: strlen(value) + 1)
            }
        }
        return inherited.map { Array($0) } + [Array("\(readyVariable)=\(writing)".utf8CString)]
    }

    /// Returns the reason why the agent did not start; nil once it is ready.
    private static func heard(from reading: Int32) throws(AgentError) -> String? {
        let deadline = Deadline(patience)
        var text: [UInt8] = []
        while true {
            var waited = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
            let count = poll(&waited, 1, deadline.left)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else {
                throw AgentError(.agent, "the agent did not start in time: run `latchkey agent` to see why")
            }
            var bytes = [UInt8](repeating: 0, count: 4096)
            let got = read(reading, &bytes, bytes.count)
            if got <= 0 { break }
            text += bytes[..<got]
        }
        let said = String(decoding: text, as: UTF8.self)
        if said == ready { return nil }
        return said.isEmpty ? "the agent ended without a message: run `latchkey agent` to see why" : said
    }

    private static let ready = "ready\n"

    /// Reports to the process that has started this one that the agent is ready or, with `trouble`, why it is not. Only
    /// the first report counts.
    package static func tell(_ trouble: String? = nil) {
        guard let text = getenv(readyVariable), let descriptor = Int32(String(cString: text)) else { return }
        unsetenv(readyVariable)
        let bytes = Array((trouble ?? ready).utf8)
        _ = write(descriptor, bytes, bytes.count)
        close(descriptor)
    }

    /// The descriptor for that report; nil if no process waits for it.
    package static var descriptor: Int32? { getenv(readyVariable).flatMap { Int32(String(cString: $0)) } }
}

extension OwnProgram {
    /// The reason and the remedy if the program is not where the others look for it.
    package var absence: String {
        if SystemFile.target(of: "/proc/self/exe") == nil {
            return "\(rawValue) cannot be found without /proc: mount it"
        }
        return
            "\(rawValue) is neither beside latchkey nor in ../libexec/latchkey: install Latchkey again, or build all of it with `make build`"
    }
}
