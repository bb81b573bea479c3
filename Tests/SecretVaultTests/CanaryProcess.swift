import Foundation
import Testing

/// The process whose memory the tests of rest and wiping search, as its parent sees it.
final class CanaryProcess {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    var id: Int32 { process.processIdentifier }

    /// Starts `vault-exerciser canary` with these arguments.
    init(_ arguments: [String]) throws {
        let folder = URL(filePath: try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
            .deletingLastPathComponent()
        process.executableURL = folder.appending(path: "vault-exerciser")
        process.arguments = ["canary"] + arguments
        // The core dump must be left as it is, without a crash handler that inspects the dying process first.
        process.environment = ProcessInfo.processInfo.environment.merging([
            "SWIFT_BACKTRACE": "enable=no",
            // The dynamic linker saves the vector registers at the first call of a function, with the last copy of a key.
            "LD_BIND_NOW": "1",
        ]) { $1 }
        process.standardInput = input
        process.standardOutput = output
        signal(SIGPIPE, SIG_IGN)  // A child that dies early shows by its missing output.
        try process.run()
    }

    deinit { if process.isRunning { Foundation.kill(id, SIGKILL) } }

    /// Sends bytes, with their length in front.
    func send(_ bytes: [UInt8]) throws {
        var piece = withUnsafeBytes(of: UInt32(bytes.count)) { Array($0) }
        piece += bytes
        try input.fileHandleForWriting.write(contentsOf: Data(piece))
    }

    /// Sends one command, and records every piece until its end.
    @discardableResult
    func command(_ letter: Character, _ bytes: [UInt8]? = nil) throws -> [Piece] {
        try input.fileHandleForWriting.write(contentsOf: Data(String(letter).utf8))
        if let bytes { try send(bytes) }
        return letter == "x" ? [] : try pieces()
    }

    /// One piece of output: a name, and bytes.
    typealias Piece = (name: String, bytes: [UInt8])

    /// Returns the pieces up to one without bytes.
    func pieces() throws -> [Piece] {
        var pieces: [Piece] = []
        while true {
            let name = String(decoding: try take(length()), as: UTF8.self)
            let bytes = try take(length())
            pieces.append((name, bytes))
            if bytes.isEmpty { return pieces }
        }
    }

    private func length() throws -> Int {
        Int(try take(4).withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) })
    }

    private func take(_ count: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let data = try output.fileHandleForReading.read(upToCount: count - bytes.count) ?? Data()
            try #require(!data.isEmpty, "the process ended early")
            bytes += data
        }
        return bytes
    }

    /// Kills the process.
    func kill() {
        Foundation.kill(id, SIGKILL)
        process.waitUntilExit()
    }

    /// Sends the end of input, and waits until the process has ended.
    func finish() throws {
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }

    /// Waits until the process has ended by itself.
    func wait() { process.waitUntilExit() }
}
