import Foundation
import KeyKit
import SodiumKit
import Synchronization
import TestSupport
import Testing

/// The process of `Tests/Support/KeyPeer`, which does one job a line. It does the jobs of all tests, because starting it takes
/// longer than most jobs, and ends with the process of the tests.
final class KeyPeer: Sendable {
    private static let started = Result { try KeyPeer() }
    /// The process, which the first test starts.
    static var shared: KeyPeer { get throws { try started.get() } }

    private static let python = URL(filePath: "/usr/bin/python3")
    private static let program = Repository.root.appending(path: "Tests/Support/KeyPeer/key_peer.py")
    private let pipes = Mutex((input: Pipe(), output: Pipe()))

    /// True if Debian's Python and its module are installed.
    static let isThere: Bool =
        (try? Command.run(["-c", "import cryptography.hazmat"], program: python).status) == 0

    private init() throws {
        let process = Process()
        Command.set(process, toRun: Self.python, [Self.program.path])
        try pipes.withLock { pipes in
            process.standardInput = pipes.input
            process.standardOutput = pipes.output
            try process.run()
        }
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
        let answer = try pipes.withLock { pipes in
            try pipes.input.fileHandleForWriting.write(contentsOf: line)
            var answer = Data()
            while answer.last != UInt8(ascii: "\n") {
                let more = pipes.output.fileHandleForReading.availableData
                try #require(!more.isEmpty, "the peer ended")
                answer += more
            }
            return answer
        }
        let text = String(decoding: answer.dropLast(), as: UTF8.self)
        try #require(!text.hasPrefix("error"), "\(text)")
        return text
    }
}
