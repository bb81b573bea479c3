import Foundation
import KeyKit
import SodiumKit
import TestSupport
import Testing

/// The process of `Tests/Support/KeyPeer`, which does one job a line.
final class KeyPeer {
    private static let python = URL(filePath: "/usr/bin/python3")
    private static let program = Repository.root.appending(path: "Tests/Support/KeyPeer/key_peer.py")
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    /// True if Debian's Python and its module are installed.
    static let isThere: Bool =
        (try? Command.run(["-c", "import cryptography.hazmat"], program: python).status) == 0

    /// Starts the process.
    init() throws {
        Command.set(process, toRun: Self.python, [Self.program.path])
        process.standardInput = input
        process.standardOutput = output
        try process.run()
    }

    deinit {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// Returns the answer to a job with a public key.
    func ask(
        _ job: [String: any Sendable], _ operation: String, _ key: PublicKey, _ more: [String: any Sendable] = [:]
    ) throws -> String {
        try ask(job.merging(more) { $1 }.merging(["operation": operation, "key": try key.pem()]) { $1 })
    }

    /// Returns the answer to a job with a private key.
    func ask(
        _ job: [String: any Sendable], _ operation: String, _ key: borrowing PrivateKey,
        _ more: [String: any Sendable] = [:]
    ) throws -> String {
        let pem = try key.pem().string() ?? ""
        return try ask(job.merging(more) { $1 }.merging(["operation": operation, "key": pem]) { $1 })
    }

    /// Returns the answer to a job.
    func ask(_ job: [String: any Sendable]) throws -> String {
        let line = try JSONSerialization.data(withJSONObject: job) + Data("\n".utf8)
        try input.fileHandleForWriting.write(contentsOf: line)
        var answer = Data()
        while answer.last != UInt8(ascii: "\n") {
            let more = output.fileHandleForReading.availableData
            try #require(!more.isEmpty, "the peer ended")
            answer += more
        }
        let text = String(decoding: answer.dropLast(), as: UTF8.self)
        try #require(!text.hasPrefix("error"), "\(text)")
        return text
    }
}
