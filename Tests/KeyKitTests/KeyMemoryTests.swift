import KeyKit
import SodiumKit
import TestSupport
import Testing

/// After an operation, no part of the private key is left outside guarded memory.
///
/// Another process does the operation and releases the key, and this one searches its memory. A search while the
/// process holds the key shows that the search works. The keys are those of all tests, since RSA keys take long to generate, and
/// that process gets no copy of them but the disguised one.
@Suite struct KeyMemoryTests {
    private static let types: [KeyType] = Curve.allCases.map { .ec($0) } + [.rsa(bits: 2048), .rsa(bits: 4096)]

    private func disguise(_ bytes: [UInt8]) -> String { hex(bytes.map { ~$0 }) }

    private func start(_ operation: String, _ type: KeyType, _ key: [UInt8]) throws -> SpawnedProgram {
        try SpawnedProgram("key-exerciser", [operation, type.family == .ec ? "ec" : "rsa", disguise(key)])
    }

    /// Returns all parts of the secret numbers in a key, with the highest byte first as in files, and with the lowest
    /// byte first as in OpenSSL.
    private func needles(_ key: [UInt8], _ type: KeyType) -> (asStored: Needles, asComputed: Needles) {
        var asStored = Needles()
        var asComputed = Needles()
        // The public numbers come first in both formats.
        let secret =
            switch type {
            case .ec(let curve): key[curve.pointCount...]
            case .rsa(let bits): key[(bits / 8 + 30)...]
            case .ed25519: key[32...]
            }
        for start in stride(from: secret.startIndex, through: secret.endIndex - 16, by: 8) {
            let part = Array(secret[start..<(start + 16)])
            asStored.add("stored \(start)", part)
            asComputed.add("computed \(start)", part.reversed())
        }
        return (asStored, asComputed)
    }

    @Test(arguments: types) func theSearchFindsAKeyThatIsHeld(type: KeyType) throws {
        let key = try SampleKeys.shared.key(type).array()
        let (stored, _) = needles(key, type)
        var process = try start("hold", type, key)
        #expect(process.line() == "holding")
        #expect(try stored.found(inMemoryOf: process.process) == stored.names)
        process.go()
        #expect(process.line() == "released")
        #expect(try stored.found(inMemoryOf: process.process) == [])
        process.go()
        #expect(process.end() == 0)
    }

    @Test(arguments: types, ["use", "exchange"]) func anOperationLeavesNothing(type: KeyType, operation: String) throws
    {
        let key = try SampleKeys.shared.key(type).array()
        try expectNothing(of: key, type, in: start(operation, type, key))
    }

    /// Codes, derivations and ciphers leave nothing of their keys.
    @Test func symmetricOperationsLeaveNothing() throws {
        let key = try SampleKeys.shared.key(.ec(.p256)).array()
        try expectNothing(of: key, .ec(.p256), in: start("symmetric", .ec(.p256), key))
    }

    @Test(arguments: types) func generatingLeavesNothing(type: KeyType) throws {
        var process = try start("generate", type, SampleKeys.shared.key(type).array())
        let line = process.line()
        let made = bytes(hex: try #require(line)).map { ~$0 }
        try expectNothing(of: made, type, in: process)
    }

    @Test(
        .enabled(if: OpenSSLCommand.isThere, "skipped: needs the Debian package openssl"),
        arguments: types, [[], ["-legacy"]])
    func openingAnArchiveLeavesNothing(type: KeyType, options: [String]) throws {
        let key = try SampleKeys.shared.key(type)
        let openssl = try OpenSSLCommand()
        try openssl.write(key)
        let export = [
            "pkcs12", "-export", "-nocerts", "-inkey", "private.pem", "-passout", "pass:word", "-out", "archive",
        ]
        try #require(try openssl.run(export + options).status == 0)
        try expectNothing(of: key.array(), type, in: start("open", type, openssl.read("archive")))
    }

    private func expectNothing(of key: [UInt8], _ type: KeyType, in process: consuming SpawnedProgram) throws {
        #expect(process.line() == "released")
        let (stored, computed) = needles(key, type)
        #expect(try stored.found(inMemoryOf: process.process) == [])
        #expect(try computed.found(inMemoryOf: process.process) == [])
        process.go()
        #expect(process.end() == 0)
    }
}
