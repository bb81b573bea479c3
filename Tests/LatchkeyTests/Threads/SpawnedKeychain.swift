import Foundation

/// A `keychain-exerciser` of its own, and what it says. Whoever starts one ends it.
struct SpawnedKeychain {
    struct CannotSpawn: Error {
        let code: Int32
    }

    let process: pid_t
    private let output: Int32
    private let input: Int32
    private var rest: [UInt8] = []

    private static let spawning = NSLock()

    /// The binary that was built with these tests.
    private static let binary = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        .appending(path: "keychain-exerciser").path

    init(_ arguments: String...) throws {
        var outputEnds: [Int32] = [0, 0]
        var inputEnds: [Int32] = [0, 0]
        // No other child may inherit the writing end, or the end of what this one says would never come.
        Self.spawning.lock()
        defer { Self.spawning.unlock() }
        guard pipe(&outputEnds) == 0, pipe(&inputEnds) == 0 else { throw CannotSpawn(code: errno) }
        for end in outputEnds + inputEnds { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, inputEnds[0], 0)
        posix_spawn_file_actions_adddup2(&actions, outputEnds[1], 1)
        var words: [UnsafeMutablePointer<CChar>?] = ([Self.binary] + arguments).map { strdup($0) }
        words.append(nil)
        defer { for word in words { free(word) } }
        var started: pid_t = 0
        let code = posix_spawn(&started, Self.binary, &actions, nil, words, environ)
        close(outputEnds[1])
        close(inputEnds[0])
        guard code == 0 else {
            close(outputEnds[0])
            close(inputEnds[1])
            throw CannotSpawn(code: code)
        }
        (process, output, input) = (started, outputEnds[0], inputEnds[1])
    }

    /// The next line; nil when it has said everything.
    mutating func line() -> String? {
        while true {
            if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: rest[..<end], as: UTF8.self)
                rest.removeSubrange(...end)
                return line
            }
            var chunk = [UInt8](repeating: 0, count: 4096)
            let count = read(output, &chunk, chunk.count)
            if count < 0 && errno == EINTR { continue }
            if count <= 0 { return nil }
            rest += chunk[..<count]
        }
    }

    /// Has it read an empty line: what it was waiting for.
    func go() { _ = write(input, "\n", 1) }

    /// Ends it, whatever it is at, and waits for that.
    consuming func kill() {
        Foundation.kill(process, SIGKILL)
        end()
    }

    /// Waits for its end: how it exited, or minus the signal that ended it.
    @discardableResult
    consuming func end() -> Int32 {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 && errno == EINTR {}
        close(output)
        close(input)
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : -(status & 0x7F)
    }
}
