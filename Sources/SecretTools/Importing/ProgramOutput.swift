internal import Glibc
package import SodiumKit

/// Runs programs that print secrets, and reads what they print straight into wiped memory.
package enum ProgramOutput: Sendable {
    /// How a program ended.
    package enum End: Hashable, Sendable, CustomStringConvertible {
        /// With this status.
        case status(Int32)
        /// By this signal.
        case signal(Int32)

        /// In words.
        package var description: String {
            switch self {
            case .status(let status): "exited with \(status)"
            case .signal(let signal): "was ended by signal \(signal)"
            }
        }
    }

    /// Where its errors go.
    package enum Errors: Sendable {
        /// To where ours go.
        case shown
        /// Among its output, for programs that print a part of their answer there.
        case withOutput
    }

    /// What `command` prints, its first word looked up on the `PATH`. It has our environment with `changes`, and no input. It fails
    /// where the program does, since half of a secret is worse than none.
    package static func read(
        _ command: [String], errors: Errors = .shown, changes: [String: String] = [:], most: Int = 64 * 1024 * 1024
    ) throws(ImportError) -> SecureBytes {
        let name = command.first ?? ""
        // Not a pipe, since only this is closed in other children from its birth on.
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw .notStarted(name, code: errno, text: String(cString: strerror(errno)))
        }
        defer { close(ends[0]) }
        let process: pid_t
        do {
            defer { close(ends[1]) }
            process = try start(command, errors, changes, output: ends[1])
        }
        let output: SecureBytes
        do {
            output = try gather(from: ends[0], most, name)
        } catch {
            kill(process, SIGKILL)
            _ = wait(for: process)
            throw error
        }
        let end = wait(for: process)
        guard end == .status(0) else { throw .failed(name, end) }
        return output
    }

    private static func gather(from descriptor: Int32, _ most: Int, _ name: String) throws(ImportError) -> SecureBytes {
        var buffer = try importing { () throws(SodiumError) in try SecureBuffer(capacity: 4096) }
        while true {
            var count = 0
            do throws(SodiumError) {
                try buffer.fill(atLeast: 4096) { room in
                    repeat {
                        count = Glibc.read(descriptor, room.baseAddress, room.count)
                    } while count < 0 && errno == EINTR
                    return max(0, count)
                }
            } catch {
                throw .memory(error)
            }
            if count < 0 { throw .unreadable(name, code: errno, text: String(cString: strerror(errno))) }
            if buffer.count > most { throw .tooMuch(name, most: most) }
            if count == 0 { break }
        }
        do { return try buffer.bytes() } catch { throw .memory(error) }
    }

    private static func wait(for process: pid_t) -> End {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 {
            if errno != EINTR { return .status(-1) }  // somebody else has learnt it in our place
        }
        return status & 0x7F == 0 ? .status((status >> 8) & 0xFF) : .signal(status & 0x7F)
    }

    private static func start(
        _ command: [String], _ errors: Errors, _ changes: [String: String], output: Int32
    ) throws(ImportError) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        if errors == .withOutput { posix_spawn_file_actions_adddup2(&actions, 1, 2) }

        // Signals as they are at birth; the group stays ours, so that whoever stops us at the terminal stops it as well.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        let words = CStrings(command)
        let variables = CStrings(environment(with: changes))
        let name = command.first ?? ""
        var process: pid_t = 0
        let code = withExtendedLifetime((words, variables)) {
            posix_spawnp(&process, name, &actions, &attributes, words.pointers, variables.pointers)
        }
        guard code == 0 else { throw .notStarted(name, code: code, text: String(cString: strerror(code))) }
        return process
    }

    private static func environment(with changes: [String: String]) -> [String] {
        var all: [String] = []
        var next = environ
        while let entry = next.pointee {
            let text = String(cString: entry)
            if changes[String(text.prefix { $0 != "=" })] == nil { all.append(text) }
            next += 1
        }
        return all + changes.map { "\($0.key)=\($0.value)" }
    }

    /// What a program is started with; the strings live as long as this does.
    private final class CStrings {
        let pointers: [UnsafeMutablePointer<CChar>?]

        init(_ strings: [String]) { pointers = strings.map { strdup($0) } + [nil] }

        deinit { for pointer in pointers { free(pointer) } }
    }
}
