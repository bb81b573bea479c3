import AgentProtocol
import Foundation
import KeyKit
import PlainText
import SecretTools
import SodiumKit
import TestSupport
import Testing
import VaultService

extension AgentTests {
    /// Loans that no server gets anything of: one-time codes, signatures, decryptions, and the secret itself.
    @Suite struct LocalLoanTests {
        /// A code counts for an hour, so that a slow machine sees no more than two.
        private static let seed = "otpauth://totp/a?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&period=3600"
        private static let canary = "canary/Secret\\Access\"Key+0123456789"
        private static let each = #"{"accessible":"whenUnlockedThisDeviceOnly","require":["userPresence"]}"#
        private static let leased =
            #"{"accessible":"whenUnlockedThisDeviceOnly","require":["userPresence"],"reuse":true}"#
        private let vault: VaultOfTest
        private let agent: RunningAgent
        private let owner: RawClient

        init() throws {
            vault = try VaultOfTest(settings: VaultSettings([.reuse: 600]))
            agent = try RunningAgent(vault)
            owner = try RawClient(vault.place.socket)
            let unlocked = try owner.ask(#"{"do":"unlock"}"#, [], RequestTests.answers)
            try #require(unlocked.done != nil, "\(unlocked.head.text)")
        }

        private func add(
            _ name: String, _ text: String, _ purpose: String, _ policy: String = RequestTests.always,
            _ fields: KeyValuePairs<String, String> = [:]
        ) throws {
            var secret = Array(text.utf8)
            if !fields.isEmpty { secret = Self.part(secret) + fields.flatMap { Self.part(Array($0.value.utf8)) } }
            let names = fields.map { "\"\($0.key)\"" }.joined(separator: ",")
            let added = try owner.ask(
                #"{"do":"add","name":"\#(name)","policy":\#(policy)\#(fields.isEmpty ? "" : #","fields":[\#(names)]"#)}"#,
                secret, RequestTests.answers)
            try #require(added.done != nil, "\(added.head.text)")
            try allow(name, purpose)
        }

        private static func part(_ bytes: [UInt8]) -> [UInt8] {
            withUnsafeBytes(of: UInt32(bytes.count).bigEndian) { Array($0) } + bytes
        }

        /// Stores a key, and returns its public half.
        private func importKey(
            _ name: String, _ type: KeyType, _ family: String, _ purposes: [String],
            _ policy: String = RequestTests.always
        ) throws -> PublicKey {
            let key = try PrivateKey.generate(type)
            let bytes = key.withExternalRepresentation { $0.withUnsafeBytes { Array($0) } }
            let head = #"{"do":"import-key","name":"\#(name)","family":"\#(family)","policy":\#(policy)}"#
            let imported = try owner.ask(head, bytes)
            try #require(imported.done != nil, "\(imported.head.text)")
            for purpose in purposes { try allow(name, purpose) }
            return key.publicKey
        }

        private func change(_ name: String, _ members: String) throws -> RawClient.Frame {
            try RawClient(vault.place.socket).ask(
                #"{"do":"allow-lending","name":"\#(name)"\#(members)}"#, [], RequestTests.answers)
        }

        private func allow(_ name: String, _ purpose: String) throws {
            let allowed = try change(name, #","allow":["\#(purpose)"]"#)
            try #require(allowed.done != nil, "\(allowed.head.text)")
        }

        private func begin(_ name: String, _ target: String, _ more: String = "") throws -> (RawClient, RawClient.Frame)
        {
            let lender = try RawClient(vault.place.socket)
            let lent = try lender.ask(
                #"{"do":"lend","name":"\#(name)","borrower":"site","command":"make","target":"\#(target)","uses":2,"minutes":5\#(more)}"#
            )
            return (lender, lent)
        }

        private func lend(_ name: String, _ target: String, _ more: String = "") throws -> RawClient {
            let (lender, lent) = try begin(name, target, more)
            try #require(lent.done != nil, "\(lent.head.text)")
            return lender
        }

        private static let use = #"{"do":"use-loan","method":"GET","path":"/"}"#
        private static let useKey = #"{"do":"use-key-loan"}"#

        private func log() throws -> String {
            var frame = try owner.ask(#"{"do":"log","after":0}"#)
            var log = frame.head.text
            while frame.head["more"] != nil {
                frame = try owner.receive()
                log += frame.head.text
            }
            return log
        }

        /// Returns the codes that are right now, or were a moment ago.
        private func codes() throws -> [String] {
            let seed = try SecureBytes(Self.seed).withBytes { (bytes) throws(OneTimeCodeError) in
                try OneTimeSeed(bytes)
            }
            let number = UInt64(Date().timeIntervalSince1970) / 3600
            return try [number - 1, number, number + 1].map { number in
                try seed.code(number).withBytes { $0.withUnsafeBytes { String(decoding: $0, as: UTF8.self) } }
            }
        }

        // MARK: - One-time codes

        @Test func itGivesCodesAndNeverTheSeed() throws {
            try add("web", Self.seed, "codes")
            let lender = try lend("web", "codes")
            for _ in 0..<3 {
                var answer = try lender.ask(Self.use)
                let code = String(decoding: answer.secret, as: UTF8.self)
                #expect(try codes().contains(code), "\(code)")
                var done = try #require(try answer.head.consumeHeadIfPresent("done"))
                #expect(1...3600 ~= Int(try done.consumeNumber("seconds-left")))
            }
            #expect(try log().contains("lent to site for codes"))
            for other in [Self.useKey, #"{"do":"sign-loan","method":"GET","path":"/","query":"","fields":[]}"#] {
                #expect(try lender.ask(other, [1]).kind == "request", "\(other)")
            }
            // No other request belongs to this one and is none of its own.
            let former = try lender.ask(#"{"do":"use-loan","method":"GET","path":"/","former":1}"#)
            #expect(former.kind == "request" && former.secret.isEmpty)
            #expect(try begin("web", "value", #","form":"text""#).1.kind == "denied", "its codes alone are allowed")
            #expect(try begin("web", "codes", #","form":"text""#).1.kind == "request")
            #expect(try begin("web", "signatures").1.kind == "not-found", "there is no key of this name")
        }

        /// A use of which nothing came is given back: the lease has it again.
        @Test(arguments: ["no seed", "otpauth://hotp/a?secret=GEZDGNBVGY3TQOJQ&counter=1", ""])
        func whatMakesNoCodeCountsForNothing(text: String) throws {
            try add("bad", text, "codes", Self.leased)
            let lender = try lend("bad", "codes")
            for turn in 0..<4 {
                let answer = try lender.ask(Self.use, [], turn == 0 ? RequestTests.answers : [:])
                #expect(answer.kind == "request" && answer.secret.isEmpty, "\(turn): \(answer.head.text)")
            }
        }

        @Test func aPromptSaysThatItIsACode() throws {
            try add("web", Self.seed, "codes", Self.leased)
            let lender = try lend("web", "codes")
            lender.send(Self.use)
            let prompt = try #require(try lender.prompt())
            for words in [
                "get a one-time code", #""secret":"web""#, "Purpose: one-time codes", "Lent to site, which runs: make",
                #""counts":{"for":"loan","seconds":300,"uses":2}"#,
            ] {
                #expect(prompt.text.contains(words), "\(words): \(prompt.text)")
            }
            lender.send(#"{"answer":"typed","number":1}"#, Array(VaultOfTest.passcode.utf8))
            #expect(try lender.answer().done != nil)
            #expect(try lender.ask(Self.use).done != nil)
            #expect(try lender.ask(Self.use).kind == "dismissed", "the third use asks")
            #expect(try owner.ask(#"{"do":"lock"}"#).done != nil)
            #expect(throws: RawClient.Trouble.closed) { try lender.receive() }
        }

        // MARK: - Keys

        @Test func itSignsAsEachKeyDoes() throws {
            let message = Array("sign this".utf8)
            for (name, type, family) in [
                ("ec", KeyType.ec(.p256), "ec"), ("rsa", .rsa(bits: 2048), "rsa"), ("ed", .ed25519, "ed25519"),
            ] {
                let key = try importKey(name, type, family, ["signatures"])
                let lender = try lend(name, "signatures")
                let signature = try signature(try lender.ask(Self.useKey, message))
                let algorithm = SignatureAlgorithm.usual(for: type.family)
                #expect(try verifies(signature, message, key, algorithm, isRaw: false), "\(name)")
                #expect(try lender.ask(Self.use).kind == "request", "the key never leaves the agent")
            }
            let lender = try lend("ec", "signatures")
            let raw = try signature(
                try lender.ask(#"{"do":"use-key-loan","algorithm":"ecdsa-sha384","raw":true}"#, message))
            #expect(raw.count == 64)
            for refused in [
                try lender.ask(#"{"do":"use-key-loan","algorithm":"ed25519"}"#, message), try lender.ask(Self.useKey),
                try lender.ask(Self.useKey, [UInt8](repeating: 0, count: 65_537)),
            ] {
                #expect(refused.kind == "request", "\(refused.head.text)")
            }
            #expect(try lender.ask(Self.useKey, [UInt8](repeating: 0, count: 65_536)).done != nil)
            #expect(try log().contains("lent to site for signatures"))
        }

        private func signature(_ frame: RawClient.Frame) throws -> [UInt8] {
            var head = frame.head
            var done = try #require(try head.consumeHeadIfPresent("done"), "\(frame.head.text)")
            #expect(frame.secret.isEmpty)
            return try #require(Hexadecimal.bytes(try done.consumeText("signature")))
        }

        private func verifies(
            _ signature: [UInt8], _ message: [UInt8], _ key: PublicKey, _ algorithm: SignatureAlgorithm, isRaw: Bool
        ) throws -> Bool {
            var input = message
            if let hash = algorithm.hash {
                var digest = try RunningDigest(.standard(hash))
                try digest.add(message.span.bytes)
                input = try digest.finish()
            }
            return try key.verify(
                signature.span.bytes, of: input.span.bytes, with: algorithm.scheme(isRaw: isRaw))
        }

        @Test func itDecryptsWithWhatDecrypts() throws {
            for (name, type, family) in [("ec", KeyType.ec(.p256), "ec"), ("rsa", .rsa(bits: 2048), "rsa")] {
                let key = try importKey(name, type, family, ["decryptions"])
                let algorithm = try #require(EncryptionAlgorithm.usual(for: type.family))
                let box = try key.encrypt("for you".utf8Span.span.bytes, with: algorithm.scheme)
                let lender = try lend(name, "decryptions")
                #expect(try lender.ask(Self.useKey, box).secret == Array("for you".utf8))
                let wrong = try lender.ask(Self.useKey, Array(box.dropLast()))
                #expect(wrong.done == nil && wrong.secret.isEmpty)
                #expect(try begin(name, "signatures").1.kind == "denied")
            }
            _ = try importKey("ed", .ed25519, "ed25519", ["decryptions"])
            #expect(try begin("ed", "decryptions").1.kind == "request", "it only signs")
        }

        /// A key in the enclave is used there, under the same loan. Its prompts name the message.
        @Test func aKeyInTheEnclaveSignsUnderALease() throws {
            let made = try owner.ask(
                #"{"do":"generate-key","name":"vault","type":"p256","in-enclave":true,"policy":\#(Self.leased)}"#, [],
                RequestTests.answers)
            try #require(made.done != nil, "\(made.head.text)")
            try allow("vault", "signatures")
            let lender = try lend("vault", "signatures")
            lender.send(Self.useKey, Array("abc".utf8))
            let prompt = try #require(try lender.prompt())
            for words in [
                "sign data", #""secret":"vault""#, "Purpose: signatures",
                "Message: 3 bytes with the SHA-256 ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
                #""counts":{"for":"loan","seconds":300,"uses":2}"#,
            ] {
                #expect(prompt.text.contains(words), "\(words): \(prompt.text)")
            }
            lender.send(#"{"answer":"typed","number":1}"#, Array(VaultOfTest.passcode.utf8))
            #expect(try signature(try lender.answer()).count > 60)
            #expect(try signature(try lender.ask(Self.useKey, Array("other".utf8))).count > 60)
            #expect(try lender.ask(Self.useKey, Array("third".utf8)).kind == "dismissed")
        }

        @Test func aKeyThatAsksEachTimeHasNoLease() throws {
            _ = try importKey("each", .ec(.p256), "ec", ["signatures"], Self.each)
            let lender = try lend("each", "signatures")
            for (number, message) in ["one", "two"].enumerated() {
                lender.send(Self.useKey, Array(message.utf8))
                let prompt = try #require(try lender.prompt())
                #expect(prompt.text.contains(SHA256.hexadecimal(message.utf8Span.span.bytes)), "\(prompt.text)")
                #expect(prompt.text.contains(#""uses":1"#))
                lender.send(#"{"answer":"typed","number":\#(number + 1)}"#, Array(VaultOfTest.passcode.utf8))
                #expect(try lender.answer().done != nil)
            }
        }

        /// A key and a secret of one name have lists of their own, and a key has no codes.
        @Test func aKeyAndASecretOfOneNameAreTwo() throws {
            try add("same", Self.seed, "codes")
            _ = try importKey("same", .ec(.p256), "ec", [])
            #expect(try begin("same", "signatures").1.kind == "denied")
            try allow("same", "signatures")
            #expect(try change("same", "").head.text.contains(#""targets":["codes","signatures"]"#))
            let both = try change("same", #","allow":["decryptions","value"]"#)
            #expect(both.kind == "request" && both.head.text.contains("a command for each kind"), "\(both.head.text)")
            #expect(try change("same", #","forbid":["signatures"]"#).head.text.contains(#""targets":[]"#))
            #expect(try lend("same", "codes").ask(Self.use).done != nil)
            #expect(try change("none", "").kind == "not-found")
        }

        // MARK: - Releases

        @Test func aReleaseHasTheFormOfItsTool() throws {
            try add("token", Self.canary, "value")
            let text = try lend("token", "value", #","form":"text""#)
            #expect(try text.ask(Self.use).secret == Array(Self.canary.utf8))
            let kubectl = try lend("token", "value", #","form":"kubectl""#).ask(Self.use).secret
            let credential = try #require(try JSONSerialization.jsonObject(with: Data(kubectl)) as? [String: Any])
            #expect(credential["kind"] as? String == "ExecCredential")
            #expect(credential["apiVersion"] as? String == "client.authentication.k8s.io/v1")
            #expect((credential["status"] as? [String: String]) == ["token": Self.canary])
            let plain = try lend("token", "value", #","form":"aws""#).ask(Self.use)
            #expect(plain.kind == "request" && plain.head.text.contains("--field access-key"), "\(plain.head.text)")
            for form in ["", #","form":"gcp""#] { #expect(try begin("token", "value", form).1.kind == "request") }
            let log = try log()
            for form in ["text", "kubectl", "aws"] { #expect(log.contains("released to site as \(form)"), "\(log)") }
            #expect(!log.contains("lent to site for value"))
        }

        @Test func credentialsOfAWSHaveAllThatClientsWant() throws {
            try add("aws", Self.canary, "value", RequestTests.always, ["access-key": "AKIDEXAMPLE"])
            try add(
                "session", Self.canary, "value", RequestTests.always,
                ["access-key": "ASIA", "expiration": "2031-01-02T03:04:05Z", "session-token": "tok=="])
            try add("long", "line\nend", "value", RequestTests.always, ["access-key": "AKID"])
            func credentials(_ name: String) throws -> [String: Any] {
                let answer = try lend(name, "value", #","form":"aws""#).ask(Self.use)
                return try #require(try JSONSerialization.jsonObject(with: Data(answer.secret)) as? [String: Any])
            }
            let plain = try credentials("aws")
            #expect(plain["Version"] as? Int == 1 && plain["AccessKeyId"] as? String == "AKIDEXAMPLE")
            #expect(plain["SecretAccessKey"] as? String == Self.canary && plain["SessionToken"] == nil)
            #expect(plain["Token"] as? String == "")
            let end = try #require(ISO8601DateFormatter().date(from: plain["Expiration"] as? String ?? ""))
            #expect(abs(end.timeIntervalSinceNow - 3600) < 300)
            let session = try credentials("session")
            #expect(session["SessionToken"] as? String == "tok==" && session["Token"] as? String == "tok==")
            #expect(session["Expiration"] as? String == "2031-01-02T03:04:05Z")
            #expect(try lend("long", "value", #","form":"aws""#).ask(Self.use).kind == "request")
        }

        /// The prompt of a release says so, and no approval of another service counts for it.
        @Test func aReleaseIsAskedForAsWhatItIs() throws {
            try add("both", Self.seed, "codes", Self.leased)
            try allow("both", "value")
            let codes = try lend("both", "codes")
            #expect(try codes.ask(Self.use, [], RequestTests.answers).done != nil)
            let release = try lend("both", "value", #","form":"text""#)
            release.send(Self.use)
            let prompt = try #require(try release.prompt())
            for words in [
                "GET THE SECRET ITSELF and keep it", "This is a RELEASE: it leaves the vault, as text",
                "Purpose: THE SECRET ITSELF, which the program can then keep",
            ] {
                #expect(prompt.text.contains(words), "\(words): \(prompt.text)")
            }
            release.send(#"{"answer":"cancel","number":1}"#)
            #expect(try release.answer().kind == "dismissed")
            #expect(try codes.ask(Self.use).done != nil, "the lease of the codes goes on")
        }

        /// An empty secret, and one that is too long for a request, use nothing of a lease.
        @Test(arguments: [0, 65_537]) func whatCannotBeSentIsGivenBack(count: Int) throws {
            try add("odd", String(repeating: "a", count: count), "https://api.example.com", Self.leased)
            let lender = try lend("odd", "https://api.example.com")
            for turn in 0..<4 {
                let answer = try lender.ask(Self.use, [], turn == 0 ? RequestTests.answers : [:])
                #expect(answer.kind == "request" && answer.secret.isEmpty, "\(turn): \(answer.head.text)")
            }
        }
    }
}
