import CTLS
import SodiumKit
import TLSClient
import TestSupport
import Testing

/// A credential that was sent, and that the host has sent back, leaves no copy outside guarded memory.
///
/// Another process does it, and this one searches its memory. Two searches that have to find something show that the search
/// works: one while the process holds the credential, and one while OpenSSL holds a record that was not read.
@Suite(.enabled(if: CertificateMaker.isThere, "skipped: needs the Debian package openssl"), .waitsForProcesses)
struct MemoryTests {
    /// A canary of 32 bytes. Each part of 16 bytes counts.
    private struct Canary {
        let bytes = Sodium.randomBytes(32)
        let needles: Needles

        init() {
            var needles = Needles()
            for start in stride(from: 0, through: 16, by: 4) {
                needles.add("\(start)", Array(bytes[start..<(start + 16)]))
            }
            self.needles = needles
        }

        var disguised: String { bytes.map { String(~$0 >> 4, radix: 16) + String(~$0 & 15, radix: 16) }.joined() }
    }

    private func start(_ work: String, _ canary: Canary, _ server: TestServer) throws -> SpawnedProgram {
        try SpawnedProgram(
            "tls-exerciser", [work, "\(server.port)", TestAuthority.shared.get().path("ca.pem"), canary.disguised])
    }

    private static let versions = [TLS1_2_VERSION, TLS1_3_VERSION]

    @Test func theSearchFindsACanaryThatIsHeld() throws {
        let canary = Canary()
        let server = try TestServer()
        var process = try start("hold", canary, server)
        #expect(process.line() == "holding")
        #expect(try canary.needles.found(inMemoryOf: process.process) == canary.needles.names)
        process.go()
        #expect(process.end() == 0)
    }

    @Test(arguments: versions, ["right", "rsa"]) func anEchoLeavesNothing(version: Int32, certificate: String) throws {
        let canary = Canary()
        let server = try TestServer(.init(certificate: certificate, versions: (version, version)))
        var process = try start("exchange", canary, server)
        #expect(process.line() == "exchanged")
        #expect(try canary.needles.found(inMemoryOf: process.process) == [])
        process.go()
        #expect(process.line() == "closed")
        #expect(try canary.needles.found(inMemoryOf: process.process) == [])
        process.go()
        #expect(process.end() == 0)
        #expect(server.noted.received == canary.bytes + canary.bytes + canary.bytes)
    }

    /// Bytes that came and were not read are wiped with the connection.
    @Test(arguments: versions) func anAnswerThatIsNotReadLeavesNothing(version: Int32) throws {
        let canary = Canary()
        let server = try TestServer(.init(versions: (version, version))) { peer in
            var all: [UInt8] = []
            while all.count < 96, let bytes = peer.read() { all += bytes }
            peer.write([0] + all)
            _ = peer.waitForEnd()
        }
        var process = try start("leave", canary, server)
        #expect(process.line() == "unread")
        #expect(try canary.needles.found(inMemoryOf: process.process) == canary.needles.names)
        process.go()
        #expect(process.line() == "closed")
        #expect(try canary.needles.found(inMemoryOf: process.process) == [])
        process.go()
        #expect(process.end() == 0)
    }
}
