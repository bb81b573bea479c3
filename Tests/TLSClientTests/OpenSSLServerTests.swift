import Foundation
import TLSClient
import TestSupport
import Testing

/// The server of the command `openssl`, which is a process of its own.
@Suite(.enabled(if: CertificateMaker.isThere, "skipped: needs the Debian package openssl"), .waitsForProcesses)
struct OpenSSLServerTests {
    /// Starts the server on a free port, and returns the port.
    private func start(_ options: [String]) throws -> (program: SpawnedProgram, port: UInt16) {
        let authority = try TestAuthority.shared.get()
        var program = try SpawnedProgram(
            path: "/usr/bin/openssl",
            [
                "s_server", "-accept", "127.0.0.1:0", "-cert", authority.path("right.pem"), "-key",
                authority.path("right.key"),
            ]
                + options)
        while let line = program.line() {
            guard line.hasPrefix("ACCEPT"), let port = line.split(separator: ":").last.flatMap({ UInt16($0) }) else {
                continue
            }
            return (program, port)
        }
        program.end()
        throw TLSError.unavailable
    }

    @Test(arguments: ["-tls1_2", "-tls1_3"]) func aRequestIsAnswered(version: String) throws {
        let (program, port) = try start([version, "-www", "-naccept", "1"])
        defer { program.end() }
        defer { program.kill() }
        let connection = try TLSClient.ofTests().connect(
            to: "localhost", port: port, addresses: .any, withinMilliseconds: patience)
        try connection.write(Array("GET / HTTP/1.0\r\n\r\n".utf8))
        let answer = String(decoding: try connection.read(exactly: 1 << 20), as: UTF8.self)
        #expect(answer.hasPrefix("HTTP/1.0 200 ok\r\n") && answer.hasSuffix("</HTML>\r\n\r\n"), "\(answer)")
        #expect(answer.contains(version == "-tls1_2" ? "TLSv1.2" : "TLSv1.3"))
    }

    /// It asks for a certificate of the client, which has none.
    @Test func aHostThatWantsACertificateGetsNone() throws {
        for (option, isAccepted) in [("-verify", true), ("-Verify", false)] {
            let (program, port) = try start(["-tls1_3", option, "1", "-www"])
            defer { program.end() }
            defer { program.kill() }
            let failure = error {
                let connection = try TLSClient.ofTests().connect(
                    to: "localhost", port: port, addresses: .any, withinMilliseconds: patience)
                try connection.write(Array("GET / HTTP/1.0\r\n\r\n".utf8))
                _ = try connection.read(exactly: 1 << 20)
            }
            #expect((failure == nil) == isAccepted, "\(String(describing: failure))")
        }
    }

    @Test(arguments: ["-tls1_2", "-tls1_3"]) func aServerThatIsKilledDoesNotEndProperly(version: String) throws {
        let (program, port) = try start([version])
        let connection = try TLSClient.ofTests().connect(
            to: "localhost", port: port, addresses: .any, withinMilliseconds: patience)
        program.kill()
        program.end()
        #expect(error { _ = try connection.read() } == .endedEarly)
    }
}
