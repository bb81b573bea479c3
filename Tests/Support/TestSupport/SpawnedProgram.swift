internal import CTestEnvironment
public import Foundation

/// A process that runs one of the programs that were built with the tests, or another one. The test that starts it has to end it.
public struct SpawnedProgram: Sendable {
    /// The number of the process.
    public let process: pid_t
    private let output: Int32
    private let input: Int32
    private var rest: [UInt8] = []

    /// The error that the system could not start the process.
    public struct CannotSpawn: Error {
        let code: Int32
    }

    /// Returns the path of the program of this name.
    private static func binary(_ name: String) -> String {
        URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().appending(path: name).path
    }

    /// Starts the program of this name.
    public init(_ name: String, _ arguments: [String]) throws {
        try self.init(path: Self.binary(name), arguments)
    }

    /// Starts the program at a path, such as one of the system.
    public init(path binary: String, _ arguments: [String]) throws {
        let (output, childOutput) = try ClosedOnExec.pipe()
        let (childInput, input) = try ClosedOnExec.pipe()
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, childInput, 0)
        posix_spawn_file_actions_adddup2(&actions, childOutput, 1)
        // A pipe of another test would stay open as long as this program runs.
        latchkey_tests_close_others(&actions)
        var words: [UnsafeMutablePointer<CChar>?] = ([binary] + arguments).map { strdup($0) }
        words.append(nil)
        defer { for word in words { free(word) } }
        var started: pid_t = 0
        let result = posix_spawn(&started, binary, &actions, nil, words, environ)
        close(childOutput)
        close(childInput)
        guard result == 0 else {
            close(output)
            close(input)
            throw CannotSpawn(code: result)
        }
        process = started
        self.output = output
        self.input = input
    }

    /// Returns the next line of its output; nil at the end.
    public mutating func line() -> String? {
        while true {
            if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: rest[..<end], as: UTF8.self)
                rest.removeSubrange(...end)
                return line
            }
            var chunk = [UInt8](repeating: 0, count: 65_536)
            let count = read(output, &chunk, chunk.count)
            if count < 0 && errno == EINTR { continue }
            if count <= 0 { return nil }
            rest += chunk[..<count]
        }
    }

    /// Returns the rest of the lines.
    public mutating func lines() -> [String] {
        var lines: [String] = []
        while let line = line() { lines.append(line) }
        return lines
    }

    /// Sends an empty line, for which the program waits.
    public func go() { _ = write(input, "\n", 1) }

    /// Kills the process.
    public func kill() { Foundation.kill(process, SIGKILL) }

    /// Waits for the end of the process. Returns its exit status, or minus the signal that ended it.
    @discardableResult
    public consuming func end() -> Int32 {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 && errno == EINTR {}
        close(output)
        close(input)
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : -(status & 0x7F)
    }
}
