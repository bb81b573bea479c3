import AgentProtocol
import Foundation
import HTTPWire
import LoanRules
import PlainText
import TestSupport
import Testing
import VaultService

extension AgentTests {
    /// Loans that sign: the secret is the key, and no frame ever has it.
    @Suite struct SigningLoanTests {
        private static let server = "https://bucket.s3.eu-central-1.amazonaws.com"
        private static let canary = "canary/SecretAccessKey+0123456789"
        private static let token = "canary-session-token=="
        private let vault: VaultOfTest
        private let agent: RunningAgent
        private let owner: RawClient

        init() throws {
            vault = try VaultOfTest(settings: VaultSettings([.reuse: 600]))
            agent = try RunningAgent(vault)
            owner = try RawClient(vault.place.socket)
            let each = #"{"accessible":"whenUnlockedThisDeviceOnly","require":["userPresence"]}"#
            let leased = #"{"accessible":"whenUnlockedThisDeviceOnly","require":["userPresence"],"reuse":true}"#
            let fields = ["access-key": "AKIDEXAMPLE"]
            try add("each", each, fields)
            try add("leased", leased, fields)
            try add("open", RequestTests.always, fields)
            try add("session", RequestTests.always, ["access-key": "ASIAEXAMPLE", "session-token": Self.token])
            try add("plain", RequestTests.always, [:])
        }

        private func add(_ name: String, _ policy: String, _ fields: [String: String]) throws {
            let names = fields.keys.sorted()
            var secret = Array(Self.canary.utf8)
            if !names.isEmpty {
                secret = Self.part(secret)
                for name in names { secret += Self.part(Array(fields[name, default: ""].utf8)) }
            }
            let list = names.isEmpty ? "" : #","fields":[\#(names.map { "\"\($0)\"" }.joined(separator: ","))]"#
            let added = try owner.ask(
                #"{"do":"add","name":"\#(name)","policy":\#(policy),"unlock":true\#(list)}"#, secret,
                RequestTests.answers)
            try #require(added.done != nil, "\(added.head.text)")
            let allowed = try RawClient(vault.place.socket).ask(
                #"{"do":"allow-lending","name":"\#(name)","allow":["\#(Self.server)"]}"#, [], RequestTests.answers)
            try #require(allowed.done != nil, "\(allowed.head.text)")
        }

        private static func part(_ bytes: [UInt8]) -> [UInt8] {
            withUnsafeBytes(of: UInt32(bytes.count).bigEndian) { Array($0) } + bytes
        }

        private func lend(_ name: String, _ more: String = #","signs":"s3 eu-central-1""#) throws -> RawClient {
            let lender = try RawClient(vault.place.socket)
            let lent = try begin(name, at: lender, more)
            try #require(lent.done != nil, "\(lent.head.text)")
            return lender
        }

        private func begin(_ name: String, at lender: RawClient, _ more: String) throws -> RawClient.Frame {
            try lender.ask(
                #"{"do":"lend","name":"\#(name)","borrower":"site","command":"make","target":"\#(Self.server)","uses":2,"minutes":5\#(more)}"#
            )
        }

        private static let empty = SignableRequest.emptyPayload
        private static let sign =
            #"{"do":"sign-loan","method":"GET","path":"/site-a/b","query":"list-type=2","fields":[["x-amz-content-sha256","\#(empty)"]]}"#

        /// Returns true if a frame has no part of the secret.
        private func isClean(_ frame: RawClient.Frame) -> Bool {
            let bytes = Array(frame.head.text.utf8) + frame.secret
            let text = String(decoding: bytes, as: UTF8.self)
            let base64 = Data(Self.canary.utf8).base64EncodedString()
            return !text.contains(Self.canary.suffix(12)) && !text.contains(base64.prefix(20))
                && !text.contains("SecretAccessKey")
        }

        /// Expects the signature that the secret makes for the request.
        private func expectSigned(_ frame: RawClient.Frame, by identifier: String, token: String = "") throws {
            var head = frame.head
            head = try #require(try head.consumeHeadIfPresent("done"), "\(frame.head.text)")
            let date = try head.consumeText("date")
            let formatter = DateFormatter()
            (formatter.locale, formatter.timeZone) = (Locale(identifier: "en_US_POSIX"), TimeZone(identifier: "UTC"))
            formatter.dateFormat = "yyyyMMdd'T'HHmmss'Z'"
            let time = try #require(formatter.date(from: date)).timeIntervalSince1970
            #expect(abs(time - Date().timeIntervalSince1970) < 300)
            let signer = RequestSigner(
                to: try #require(WireOrigin(server: Self.server)), in: try #require(SigningScope("s3 eu-central-1")),
                at: SigningTime(secondsSince1970: Int64(time)))
            let request = try SignableRequest(
                method: "GET", path: "/site-a/b", query: "list-type=2", fields: [], hasBody: false)
            let wanted = try signer.authorization(
                for: request, by: Self.canary.utf8Span.span.bytes, called: identifier, token: token.utf8Span.span.bytes)
            #expect(try head.consumeText("authorization") == wanted)
            #expect(frame.secret == Array(token.utf8))
            #expect(isClean(frame), "\(frame.head.text)")
        }

        @Test func itSignsForItsServerAndScope() throws {
            let lender = try lend("open")
            for _ in 0..<3 { try expectSigned(try lender.ask(Self.sign), by: "AKIDEXAMPLE") }
            try expectSigned(try lend("session").ask(Self.sign), by: "ASIAEXAMPLE", token: Self.token)
        }

        /// A loan gives out signatures or the secret, and never both.
        @Test func theOtherRequestIsRefused() throws {
            let signing = try lend("open")
            let use = #"{"do":"use-loan","method":"GET","path":"/site-a/b"}"#
            let refused = try signing.ask(use)
            #expect(refused.kind == "request" && refused.secret.isEmpty && isClean(refused))
            try expectSigned(try signing.ask(Self.sign), by: "AKIDEXAMPLE")
            let giving = try lend("open", "")
            #expect(try giving.ask(Self.sign).kind == "request")
            #expect(try giving.ask(use).secret == Array(Self.canary.utf8))
            for scope in ["", "s3", "S3 eu", "s3 eu/x"] {
                let lender = try RawClient(vault.place.socket)
                #expect(try begin("open", at: lender, #","signs":"\#(scope)""#).kind == "request", "\(scope)")
            }
        }

        @Test func oneAnswerCountsForALeaseOrForAUse() throws {
            let lender = try lend("leased")
            lender.send(Self.sign)
            let prompt = try #require(try lender.prompt())
            for words in [
                #""secret":"leased""#, "send GET /site-a/b to bucket.s3.eu-central-1.amazonaws.com",
                "a signature for s3 in eu-central-1, and not the secret",
                #""counts":{"for":"loan","seconds":300,"uses":2}"#,
            ] {
                #expect(prompt.text.contains(words), "\(prompt.text)")
            }
            lender.send(#"{"answer":"typed","number":1}"#, Array(VaultOfTest.passcode.utf8))
            try expectSigned(try lender.answer(), by: "AKIDEXAMPLE")
            try expectSigned(try lender.ask(Self.sign), by: "AKIDEXAMPLE")
            #expect(try lender.ask(Self.sign).kind == "dismissed", "the third use asks")
            // Another borrower: this one is silent now.
            let each = try RawClient(vault.place.socket)
            _ = try each.ask(
                #"{"do":"lend","name":"each","borrower":"other","command":"make","target":"\#(Self.server)","minutes":5,"signs":"s3 eu-central-1"}"#
            )
            for _ in 0..<2 {
                try expectSigned(try each.ask(Self.sign, [], RequestTests.answers), by: "AKIDEXAMPLE")
            }
            #expect(try each.ask(Self.sign).kind == "dismissed", "each use asks")
        }

        @Test func aServerThatIsForbiddenGetsNoSignature() throws {
            let lender = try lend("open")
            try expectSigned(try lender.ask(Self.sign), by: "AKIDEXAMPLE")
            let owner = try RawClient(vault.place.socket)
            let forbidden = try owner.ask(
                #"{"do":"allow-lending","name":"open","forbid":["\#(Self.server)"]}"#, [], RequestTests.answers)
            #expect(forbidden.done != nil)
            #expect(try lender.ask(Self.sign).kind == "denied")
        }

        /// What cannot be signed is refused before anything is asked, and a use that signed nothing is given back.
        @Test func whatCannotBeSignedCountsForNothing() throws {
            let lender = try lend("leased")
            for (members, words) in [
                (
                    #""path":"/a","query":"X-Amz-Signature=1","fields":[["x-amz-content-sha256","\#(Self.empty)"]]"#,
                    "query"
                ),
                (#""path":"/a","query":"","fields":[["x-amz-content-sha256","UNSIGNED-PAYLOAD"]]"#, "not signed"),
                (#""path":"/a","query":"","fields":[]"#, "no hash"),
                (#""path":"/a\n","query":"","fields":[["x-amz-content-sha256","\#(Self.empty)"]]"#, "malformed"),
                (#""path":"/a","query":"","fields":[["x-amz-content-sha256"]]"#, "name and a value"),
            ] {
                let refused = try lender.ask(#"{"do":"sign-loan","method":"GET",\#(members)}"#)
                #expect(refused.kind == "request" && refused.head.text.contains(words), "\(refused.head.text)")
            }
            #expect(try lender.ask(Self.sign, [], RequestTests.answers).done != nil, "nothing was dismissed")
            let second = try lender.ask(Self.sign)
            #expect(second.head.text.contains(#""number":2"#))
            #expect(try lender.ask(#"{"do":"give-back-use","number":2}"#).done != nil)
            #expect(try lender.ask(Self.sign).done != nil)
            let plain = try lend("plain").ask(Self.sign)
            #expect(
                plain.kind == "request" && plain.head.text.contains("latchkey edit plain --field access-key"),
                "\(plain.head.text)")
            #expect(isClean(plain))
        }

        @Test func aLockEndsItAndTheLogNamesTheBorrower() throws {
            let lender = try lend("open")
            #expect(try lender.ask(Self.sign).done != nil)
            var frame = try owner.ask(#"{"do":"log","after":0}"#)
            var log = frame.head.text
            while frame.head["more"] != nil {
                frame = try owner.receive()
                log += frame.head.text
            }
            #expect(log.contains("lent to site for GET \(Self.server)/site-a/b"), "\(log)")
            let list = try owner.ask(#"{"do":"loans"}"#)
            #expect(list.head.text.contains(#""signs":"s3 eu-central-1""#), "\(list.head.text)")
            while try owner.receive().head["more"] != nil {}
            #expect(try owner.ask(#"{"do":"lock"}"#).done != nil)
            #expect(throws: RawClient.Trouble.closed) { try lender.receive() }
        }
    }
}
