import AgentProtocol
import Foundation
import TestSupport
import Testing

/// The real agent of a vault, in its own process.
final class RunningAgent: Sendable {
    /// The error that the agent did not start, with its message.
    struct DidNotStart: Error, CustomStringConvertible {
        let description: String
    }

    static let binary = Command.binary.path

    let process: pid_t

    /// Starts the agent, and waits until it answers. `prefix` is a command that starts it, for example as another user.
    init(
        _ vault: VaultOfTest, _ arguments: [String] = [], prefix: [String] = [], variables: [String: String] = [:],
        program: String = RunningAgent.binary
    ) throws {
        let (ready, readiness) = try ClosedOnExec.pipe()
        defer { close(ready) }
        let words = prefix + [program, "agent", "--vault", vault.path] + arguments
        let environment = ["XDG_RUNTIME_DIR": vault.runtime, "HOME": vault.folder.url.path, "LATCHKEY_READY": "200"]
            .merging(variables) { $1 }
        do { process = try Self.spawn(words, environment, [200: readiness]) } catch {
            close(readiness)
            throw error
        }
        close(readiness)
        var said: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(ready, &chunk, chunk.count)
            if count < 0 && errno == EINTR { continue }
            if count <= 0 { break }
            said += chunk[..<count]
        }
        let text = String(decoding: said, as: UTF8.self)
        guard text == "ready\n" else {
            end()
            throw DidNotStart(description: text)
        }
    }

    deinit { end() }

    /// Starts a program with default signal handling and these descriptors.
    static func spawn(_ words: [String], _ environment: [String: String], _ descriptors: [Int32: Int32]) throws -> pid_t
    {
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        for descriptor in [0, 2] as [Int32] {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        for (target, source) in descriptors { posix_spawn_file_actions_adddup2(&actions, source, target) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        // The environment of the tests leads to no bus of the system.
        let kept = ProcessInfo.processInfo.environment.filter { ["PATH", "DBUS_SYSTEM_BUS_ADDRESS"].contains($0.key) }
        let all = kept.merging(environment) { $1 }
        var variables: [UnsafeMutablePointer<CChar>?] = all.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in arguments + variables { free(text) } }
        var process: pid_t = 0
        let code = posix_spawnp(&process, words[0], &actions, &attributes, &arguments, &variables)
        guard code == 0 else { throw DidNotStart(description: "\(words[0]): \(String(cString: strerror(code)))") }
        return process
    }

    func send(_ signal: Int32) { kill(process, signal) }

    /// Waits for the end of the process. Returns its exit status, or minus the signal that ended it; nil if it was
    /// collected before.
    @discardableResult
    func wait() -> Int32? {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 { if errno != EINTR { return nil } }
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : -(status & 0x7F)
    }

    /// Kills the process.
    func end() {
        // After the process was collected, its number may belong to another one.
        guard waitpid(process, nil, WNOHANG) == 0 else { return }
        send(SIGKILL)
        wait()
    }

    var isAlive: Bool { waitpid(process, nil, WNOHANG) == 0 }

    /// Returns the value of this name in /proc/PID/status.
    func status(_ name: String) -> Int? {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8) else { return nil }
        let line = text.split(separator: "\n").first { $0.hasPrefix("\(name):") }
        return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
    }

    /// Returns the most memory that the process has used, in kibibytes.
    func peak() -> Int { status("VmHWM") ?? 0 }

    /// The memory that the process uses, in kibibytes.
    var memory: Int { status("VmRSS") ?? 0 }
}
