import AgentProtocol
import Foundation
import KeyKit
import PlainText
import TestSupport
import Testing

extension AgentTests {
    /// Requests about private keys that are refused, and certificates that others chose the words of.
    @Suite(.serialized) struct KeyRequestTests {
        private let agent: RunningAgent
        private let vault: VaultOfTest

        init() throws {
            vault = try VaultOfTest()
            agent = try RunningAgent(vault)
            _ = try ask(#"{"do":"unlock"}"#, [], RequestTests.answers)
        }

        /// Asks over a connection of its own, which no factor was given to.
        private func ask(_ head: String, _ secret: [UInt8] = [], _ answers: [String: String] = [:]) throws
            -> RawClient.Frame
        {
            try RawClient(vault.place.socket).ask(head, secret, answers)
        }

        private func importKey(_ name: String) throws -> PublicKey {
            let key = try PrivateKey.generate(.ec(.p256))
            let bytes = key.withExternalRepresentation { $0.withUnsafeBytes { Array($0) } }
            let head = #"{"do":"import-key","name":"\#(name)","family":"ec","policy":\#(RequestTests.always)}"#
            #expect(try ask(head, bytes).done != nil)
            return key.publicKey
        }

        /// Returns a certificate of authority "A" with the serial number 7. Its signature is nonsense, which nothing checks.
        private func certificate(_ key: PublicKey, for subject: [UInt8]) -> [UInt8] {
            func element(_ tag: UInt8, _ content: [UInt8]...) -> [UInt8] {
                let content = Array(content.joined())
                let length = withUnsafeBytes(of: UInt32(content.count).bigEndian) { Array($0.drop { $0 == 0 }) }
                return [tag] + (content.count < 0x80 ? [UInt8(content.count)] : [0x80 | UInt8(length.count)] + length)
                    + content
            }
            func name(_ text: [UInt8]) -> [UInt8] {
                element(0x30, element(0x31, element(0x30, [6, 3, 0x55, 4, 3], element(0x0C, text))))
            }
            let date = element(0x17, Array("300101000000Z".utf8))
            let algorithm = element(0x30, [6, 8, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 4, 3, 2])  // ECDSA with SHA-256
            let content = element(
                0x30, [0xA0, 3, 2, 1, 2], [2, 1, 7], algorithm, name(Array("A".utf8)), element(0x30, date, date),
                name(subject), key.subjectPublicKeyInfo)
            return element(0x30, content, algorithm, [3, 3, 0, 0x30, 0])
        }

        /// A subject has no limit, and each of these characters takes six bytes in an answer.
        @Test func aLongSubjectHidesNoKey() throws {
            let key = try importKey("k")
            let long = certificate(key, for: [UInt8](repeating: 1, count: 300_000))
            #expect(try ask(#"{"do":"set-certificate","name":"k"}"#, long).done != nil)
            #expect(try ask(#"{"do":"certificate","name":"k"}"#).secret == long)
            let text = JSON.string(String(repeating: "?", count: 200) + "...")
            guard case .object(let entry) = try ask(#"{"do":"key","name":"k"}"#).done?["key"] else {
                Issue.record("there is no key")
                return
            }
            #expect(entry["certificate"] == text)
            let client = try RawClient(vault.place.socket)
            client.send(#"{"do":"keys"}"#)
            #expect(try client.receive().head.text.contains(#""name":"k""#))
            #expect(try client.receive().done?["count"] == .number("1"))
        }

        /// Old keys can be used through Apple's names, but no new secret of the vault may rest on one.
        @Test func aShortKeyIsNotImported() throws {
            let short = try PrivateKey.generateOldRSA()
            let bytes = short.withExternalRepresentation { $0.withUnsafeBytes { Array($0) } }
            let head = #"{"do":"import-key","name":"short","family":"rsa","policy":\#(RequestTests.always)}"#
            let refused = try ask(head, bytes)
            #expect(refused.head.text.contains("RSA from 2048 to 4096 bits"), "\(refused.head.text)")
            #expect(try ask(#"{"do":"keys"}"#).done?["count"] == .number("0"))
        }

        /// Two keys cannot have certificates of one issuer and number. The one that was there stays.
        @Test func aCertificateOfTheSameNumberReplacesNone() throws {
            let (first, second) = (try importKey("a"), try importKey("b"))
            let certificate = certificate(first, for: Array("a".utf8))
            #expect(try ask(#"{"do":"set-certificate","name":"a"}"#, certificate).done != nil)
            let refused = try ask(
                #"{"do":"set-certificate","name":"b"}"#, self.certificate(second, for: Array("b".utf8)))
            #expect(refused.head.text.contains(#""kind":"exists""#), "\(refused.head.text)")
            #expect(refused.head.text.contains("latchkey key list"), "\(refused.head.text)")
            #expect(try ask(#"{"do":"certificate","name":"a"}"#).secret == certificate)
        }

        /// A backup brings back a key whose name another key has by now. Neither takes the place of the other.
        @Test func twoKeysOfOneNameAreToldApartByTheirFingerprints() throws {
            func fingerprints() throws -> [String] {
                let client = try RawClient(vault.place.socket)
                client.send(#"{"do":"keys"}"#)
                let items = try client.receive().head.text
                return items.split(separator: #""fingerprint":""#).dropFirst().map { String($0.prefix(40)) }
            }
            func status(_ request: String, _ name: String) throws -> String {
                let digest = String(repeating: "5a", count: 32)
                let more = request == "sign" ? #","algorithm":"ecdsa-sha256","digest":"\#(digest)""# : ""
                let frame = try ask(#"{"do":"\#(request)","name":"\#(name)"\#(more)}"#)
                return frame.done == nil ? frame.head.text : "done"
            }
            let folder = try TemporaryFolder(inMemory: true)
            let answers = RequestTests.answers.merging(
                ["new-passphrase": "a long passphrase of 8", "passphrase": "a long passphrase of 8"]) { $1 }
            let always = RequestTests.always.replacing("ThisDeviceOnly", with: "")
            let generate = #"{"do":"generate-key","name":"k","type":"p256","policy":\#(always)}"#
            #expect(try ask(generate).done != nil)
            let former = try fingerprints()
            let path = folder.path("backup")
            #expect(try ask(#"{"do":"back-up","path":"\#(path)"}"#, [], answers).done?["written"] == .number("2"))
            #expect(try status("remove-key", "k") == "done")
            #expect(try ask(generate).done != nil)
            let present = try fingerprints()
            #expect(try ask(#"{"do":"take-in","path":"\#(path)"}"#, [], answers).done?["added"] == .number("2"))
            try #require(former.count == 1 && present.count == 1)
            #expect(try Set(fingerprints()) == Set(former + present))

            for request in ["key", "sign", "remove-key"] {
                let refused = try status(request, "k")
                #expect(refused.contains("2 keys are called k"), "\(request): \(refused)")
            }
            for fingerprint in former + present {
                #expect(try status("key", fingerprint) == "done")
                #expect(try status("sign", fingerprint) == "done")
            }
            #expect(try status("remove-key", former[0]) == "done")
            for request in ["key", "sign", "remove-key"] { #expect(try status(request, "k") == "done", "\(request)") }
        }

        /// A digest that no key can sign is refused before anything is asked, and before the key is opened.
        @Test func nobodyAuthenticatesForADigestOfAWrongLength() throws {
            for more in ["", #""in-enclave":true,"#] {
                let name = more.isEmpty ? "soft" : "hard"
                let made = try ask(
                    #"{"do":"generate-key","name":"\#(name)","type":"p256",\#(more)"policy":\#(RequestTests.passcode)}"#
                )
                #expect(made.done != nil, "\(made.head.text)")
                for digest in ["", "00", String(repeating: "0", count: 66)] {
                    let refused = try ask(
                        #"{"do":"sign","name":"\#(name)","digest":"\#(digest)","algorithm":"ecdsa-sha256"}"#)
                    // A prompt would be dismissed.
                    #expect(refused.head.text.contains(#""kind":"request""#), "\(refused.head.text)")
                    #expect(refused.head.text.contains("needs 32"), "\(refused.head.text)")
                }
            }
        }
    }
}
