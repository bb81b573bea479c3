import Foundation
import TestSupport
import Testing

/// A process in its own session: a `terminal-asker`, or a shell that runs one.
///
/// Its input and output are pipes. It has a controlling terminal only if it gets one.
final class SpawnedAsker {
    let process: pid_t
    private let input: Int32
    private let output: Int32
    private var rest: [UInt8] = []
    private var isOver = false

    static let binary = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        .appending(path: "terminal-asker").path

    convenience init(_ arguments: String..., at terminal: PseudoTerminal?) throws {
        try self.init([Self.binary] + arguments, at: terminal)
    }

    init(_ words: [String], at terminal: PseudoTerminal?, environment: [String] = []) throws {
        PseudoTerminal.opening.lock()
        defer { PseudoTerminal.opening.unlock() }
        let (childInput, inputEnd) = try ClosedOnExec.pipe()
        let (outputEnd, childOutput) = try ClosedOnExec.pipe()
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, childInput, 0)
        posix_spawn_file_actions_adddup2(&actions, childOutput, 1)
        if let terminal {
            // The first terminal that the leader of a session opens becomes its controlling terminal.
            posix_spawn_file_actions_addopen(&actions, 9, terminal.path, O_RDWR, 0)
            posix_spawn_file_actions_addclose(&actions, 9)
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        let newSession: Int32 = 0x80  // POSIX_SPAWN_SETSID, which the module of the C library leaves out
        posix_spawnattr_setflags(&attributes, Int16(newSession | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
        // The program that runs the tests may ignore or block signals.
        var signals = sigset_t()
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        let own = ["TERM", "NO_COLOR", "SWIFT_BACKTRACE"]
        let inherited = ProcessInfo.processInfo.environment.filter { !own.contains($0.key) }.map {
            "\($0.key)=\($0.value)"
        }
        // A process that dies by a signal should do so without Swift's crash reporter.
        let all = inherited + environment + ["SWIFT_BACKTRACE=enable=no"]
        var variables: [UnsafeMutablePointer<CChar>?] = all.map { strdup($0) } + [nil]
        defer { for word in arguments + variables { free(word) } }
        var started: pid_t = 0
        let code = posix_spawn(&started, words[0], &actions, &attributes, &arguments, &variables)
        close(childInput)
        close(childOutput)
        input = inputEnd
        output = outputEnd
        process = started
        isOver = code != 0
        try #require(code == 0, "\(words[0]) cannot be started")
    }

    deinit {
        if !isOver {
            kill(process, SIGKILL)
            _ = end()
        }
        close(input)
        close(output)
    }

    /// Returns the next line of its output; nil at the end.
    func line() throws -> String? {
        while true {
            if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: rest[..<end], as: UTF8.self)
                rest.removeSubrange(...end)
                return line
            }
            var waited = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
            try #require(poll(&waited, 1, 20_000) > 0, "the process says nothing")
            var bytes = [UInt8](repeating: 0, count: 4096)
            let count = read(output, &bytes, bytes.count)
            if count <= 0 { return nil }
            rest += bytes[..<count]
        }
    }

    /// Sends an empty line, for which it waits.
    func go() { _ = write(input, "\n", 1) }

    /// Waits for the end of the process. Returns its exit status, or minus the signal that ended it.
    func end() -> Int32 {
        var status: Int32 = 0
        let deadline = Patience.end
        while waitpid(process, &status, WNOHANG) == 0 {
            if Date() > deadline { kill(process, SIGKILL) }
            usleep(2000)
        }
        isOver = true
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : -(status & 0x7F)
    }

    /// Waits until it is stopped: the state T in `/proc`.
    func waitUntilStopped() throws { try Self.waitUntilStopped(process) }

    static func waitUntilStopped(_ process: pid_t) throws {
        let deadline = Patience.end
        while true {
            let status = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
            if let end = status.lastIndex(of: ")"), status[end...].hasPrefix(") T") { return }
            try #require(Date() < deadline, "the process was not stopped")
            usleep(2000)
        }
    }

    /// Returns how often `bytes` occur in the writable memory of the process.
    func count(of bytes: [UInt8]) throws -> Int {
        let memory = open("/proc/\(process)/mem", O_RDONLY | O_CLOEXEC)
        try #require(memory >= 0)
        defer { close(memory) }
        let maps = try String(contentsOfFile: "/proc/\(process)/maps", encoding: .utf8)
        var (found, searched) = (0, 0)
        for line in maps.split(separator: "\n") {
            let words = line.split(separator: " ")
            let ends = words[0].split(separator: "-").compactMap { UInt64($0, radix: 16) }
            guard ends.count == 2, words[1].hasPrefix("rw") else { continue }
            var place = ends[0]
            var piece = Data(count: 1 << 20)
            while place < ends[1] {
                let wanted = min(piece.count, Int(ends[1] - place))
                let count = piece.withUnsafeMutableBytes { pread(memory, $0.baseAddress, wanted, off_t(place)) }
                guard count > 0 else { break }
                searched += count
                var rest = piece.startIndex..<(piece.startIndex + count)
                while let range = piece.range(of: Data(bytes), in: rest) {
                    found += 1
                    rest = range.upperBound..<rest.upperBound
                }
                place += UInt64(count)
                // Pieces overlap, so that no match between two is missed.
                if place < ends[1] { place -= UInt64(min(count - 1, bytes.count - 1)) }
            }
        }
        try #require(searched > 1 << 16, "the memory of the process was not to be read")
        return found
    }
}
