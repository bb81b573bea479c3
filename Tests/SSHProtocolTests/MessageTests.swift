import KeyKit
import SSHProtocol
import Testing

/// Hostile messages are refused, and never end the process.
@Suite struct SSHMessageTests {
    /// One valid message of each kind.
    private static func messages() throws -> [[UInt8]] {
        let host = try Host()
        var sign = SSHWriter()
        sign.byte(13)
        sign.string(host.key.blob)
        sign.string(login([1, 2], "git", host.key.blob, at: host.key))
        sign.number(4)
        var remove = SSHWriter()
        remove.byte(18)
        remove.string(host.key.blob)
        var query = SSHWriter()
        query.byte(27)
        query.string("query")
        return [
            [11], [19], [22], [23], [17], [20], [21], [25], [26], sign.bytes, remove.bytes, query.bytes,
            try host.binding([1, 2], forwards: true),
        ]
    }

    @Test func everyMessageIsRead() throws {
        for message in try Self.messages() {
            let request = try #require(SSHAgentRequest(message))
            #expect(request != .unknown, "\(message[0])")
        }
        #expect(SSHAgentRequest([200]) == .unknown)
        #expect(SSHAgentRequest([]) == nil)
    }

    @Test func noCutLongerOrChangedMessageIsMoreThanRefused() throws {
        for message in try Self.messages() {
            for count in message.indices.dropFirst() {
                let request = SSHAgentRequest(Array(message.prefix(count)))
                #expect([nil, .unknown, .bind(nil)].contains(request), "\(message[0]), \(count) bytes")
            }
            // Nothing reads the body of a secret message.
            if !SSHAgentRequest.Number.isSecret(message[0]) {
                let request = SSHAgentRequest(message + [0])
                #expect([nil, .bind(nil)].contains(request), "\(message[0]), one byte more")
            }
            for place in message.indices {
                for bit: UInt8 in [1, 0x80, 0xFF] {
                    var wrong = message
                    wrong[place] ^= bit
                    // Only that it ends matters, and that no changed binding counts as signed.
                    if case .bind(let binding?)? = SSHAgentRequest(wrong), place < message.count - 1 {
                        #expect(!binding.isSigned, "byte \(place)")
                    }
                }
            }
        }
    }

    @Test func randomBytesAreRead() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<20_000 {
            let bytes = (0..<Int.random(in: 0...64)).map { _ in UInt8.random(in: 0...255, using: &generator) }
            for number: UInt8 in [13, 18, 27] { _ = SSHAgentRequest([number] + bytes) }
            #expect([.other, .malformed].contains(SSHSignedData(bytes)))
            #expect(SSHSignedData(Array("SSHSIG".utf8) + bytes) == .malformed)
            _ = SSHPublicKey(blob: bytes)
        }
        // A length that is longer than any memory.
        for count: UInt32 in [.max, .max - 3, 1 << 31] {
            var message = SSHWriter()
            message.byte(13)
            message.number(count)
            #expect(SSHAgentRequest(message.bytes) == nil)
        }
    }

    @Test func onlyACompleteLoginIsOne() throws {
        let host = try Host()
        for bound in [host.key, nil] {
            let data = login([7], "git", host.key.blob, at: bound)
            guard case .login(let found) = SSHSignedData(data) else {
                Issue.record("no login")
                return
            }
            #expect(found.user == "git" && found.session == [7] && found.key == host.key.blob)
            #expect(found.hostKey == bound?.blob)
            // After the session and the number, it begins as a login does, and a host may take it for one.
            for count in data.indices {
                #expect(SSHSignedData(Array(data.prefix(count))) == (count < 6 ? .other : .malformed), "\(count) bytes")
            }
            #expect(SSHSignedData(data + [0]) == .malformed)
        }
        let key = host.key.blob
        let wrong = try [
            login([], "git", key), login([7], "git", key, mark: 0), login([7], "git", key, mark: 2),
            login([7], "git", key, mark: 255), login([7], "git", key, by: "rsa-sha2-512"),
            login([7], "git", Host(.ec(.p256)).key.blob), login([7], "git", []),
        ]
        for (place, data) in wrong.enumerated() { #expect(SSHSignedData(data) == .malformed, "\(place)") }
        // The name of the user is no text in UTF-8.
        var data = login([7], "git", key)
        data[10] = 0xFF
        #expect(SSHSignedData(data) == .malformed)
        let rsa = try Host(.rsa(bits: 2048)).key.blob
        guard case .login = SSHSignedData(login([7], "git", rsa, by: "rsa-sha2-256")) else {
            Issue.record("no login")
            return
        }
    }

    @Test func aFileWithoutANamespaceThatCanBeSaidIsMalformed() {
        func file(_ namespace: [UInt8], _ hash: String, _ count: Int) -> SSHSignedData {
            var data = SSHWriter()
            data.string(namespace)
            data.string("")
            data.string(hash)
            data.string([UInt8](repeating: 7, count: count))
            return SSHSignedData(Array("SSHSIG".utf8) + data.bytes)
        }
        #expect(file(Array("git".utf8), "sha512", 64) == .file(namespace: "git"))
        for wrong in [
            file([], "sha512", 64), file([0xFF], "sha512", 64), file([65], "sha1", 20), file([65], "sha256", 31),
        ] {
            #expect(wrong == .malformed)
        }
    }

    @Test func aSecretBodyIsNeverLookedAt() {
        // Keys, passphrases, and the PINs of cards.
        for number: UInt8 in [17, 20, 21, 22, 23, 25, 26] {
            #expect(SSHAgentRequest.Number.isSecret(number))
            #expect(SSHAgentRequest([number, 1, 2, 3]) == SSHAgentRequest([number]))
        }
        for number: UInt8 in [11, 13, 18, 19, 27] { #expect(!SSHAgentRequest.Number.isSecret(number)) }
    }
}
