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
            [11], [19], [22], [23], [17], [25], sign.bytes, remove.bytes, query.bytes,
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
                #expect(request == nil || request == .unknown, "\(message[0]), \(count) bytes")
            }
            for place in message.indices {
                for bit: UInt8 in [1, 0x80, 0xFF] {
                    var wrong = message
                    wrong[place] ^= bit
                    // Only that it ends matters, and that no changed binding counts as signed.
                    if case .bind(let binding)? = SSHAgentRequest(wrong), place < message.count - 1 {
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
            #expect(SSHSignedData(bytes) == .unknown)
            #expect(SSHSignedData(Array("SSHSIG".utf8) + bytes) == .unknown)
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
            for count in data.indices { #expect(SSHSignedData(Array(data.prefix(count))) == .unknown) }
            #expect(SSHSignedData(data + [0]) == .unknown)
        }
        #expect(SSHSignedData(login([], "git", host.key.blob)) == .unknown)
    }

    @Test func aSecretBodyIsNeverLookedAt() {
        for number: UInt8 in [17, 22, 23, 25] {
            #expect(SSHAgentRequest.Number.isSecret(number))
            #expect(SSHAgentRequest([number, 1, 2, 3]) == SSHAgentRequest([number]))
        }
        for number: UInt8 in [11, 13, 18, 19, 27] { #expect(!SSHAgentRequest.Number.isSecret(number)) }
    }
}
