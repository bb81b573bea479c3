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

    convenience init(_ arguments: String..., at terminal: Terminal?) throws {
        try self.init([Self.binary] + arguments, at: terminal)
    }

    init(_ words: [String], at terminal: Terminal?, environment: [String: String] = [:]) throws {
        let (childInput, inputEnd) = try ClosedOnExec.pipe()
        let (outputEnd, childOutput) = try ClosedOnExec.pipe()
        defer { for end in [childInput, childOutput] { close(end) } }
        // A process that dies by a signal should do so without Swift's crash reporter.
        let plain = ["TERM": "", "NO_COLOR": "", "SWIFT_BACKTRACE": "enable=no"]
        process = try SessionLeader.start(
            words, environment: Command.environment(plain).merging(environment) { $1 }, at: terminal?.path,
            [.descriptor(childInput), .descriptor(childOutput)])
        (input, output) = (inputEnd, outputEnd)
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
        isOver = true
        return SessionLeader.end(of: process)
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
