import AgentProtocol
import Foundation
import KeyKit
import PlainText
import SSHProtocol
import TestSupport
import Testing

extension AgentTests {
    /// Each kind of loan answers the request of its own kind, and no other.
    @Suite struct LoanKindTests {
        private static let server = "https://api.example.com"
        private static let logins = "ssh://git@github.com"
        private static let leased =
            #"{"accessible":"whenUnlockedThisDeviceOnly","require":["userPresence"],"reuse":true}"#
        private let vault: VaultOfTest
        private let agent: RunningAgent

        init() throws {
            vault = try VaultOfTest(settings: VaultSettings([.reuse: 600]))
            try FileManager.default.createDirectory(
                atPath: vault.folder.path(".ssh"), withIntermediateDirectories: false)
            let host = SSHPublicKey(try PrivateKey.generate(.ed25519).publicKey).line(comment: "")
            try "github.com \(host)\n".write(
                toFile: vault.folder.path(".ssh/known_hosts"), atomically: true, encoding: .utf8)
            agent = try RunningAgent(vault)
        }

        private func ask(_ text: String, _ secret: [UInt8] = []) throws -> RawClient.Frame {
            let answer = try RawClient(vault.place.socket).ask(text, secret, RequestTests.answers)
            try #require(answer.done != nil, "\(answer.head.text)")
            return answer
        }

        /// Stores a secret and a key of this name, and allows every purpose of them.
        private func prepare(_ name: String, _ policy: String) throws {
            _ = try ask(#"{"do":"add","name":"\#(name)","policy":\#(policy),"unlock":true}"#, Array("canary".utf8))
            _ = try ask(#"{"do":"generate-key","name":"\#(name)","type":"rsa2048","policy":\#(policy),"unlock":true}"#)
            for targets in [#""\#(Self.server)","codes","value""#, #""\#(Self.logins)","signatures","decryptions""#] {
                _ = try ask(#"{"do":"allow-lending","name":"\#(name)","allow":[\#(targets)]}"#)
            }
        }

        private func begin(_ name: String, _ members: String) throws -> (RawClient, RawClient.Frame) {
            let lender = try RawClient(vault.place.socket)
            return (
                lender,
                try lender.ask(
                    #"{"do":"lend","name":"\#(name)","borrower":"site","command":"make","uses":2,"minutes":5,"target":\#(members)}"#
                )
            )
        }

        private static let requests = [
            "use": #"{"do":"use-loan","method":"GET","path":"/"}"#,
            "ahead": #"{"do":"use-loan","method":"GET","path":"/","ahead":true}"#,
            "sign": #"{"do":"sign-loan","method":"GET","path":"/","query":"","fields":[]}"#,
            "key": #"{"do":"use-key-loan"}"#,
            "login": #"{"do":"sign-login","host-key":"","session":"","host-signature":"","login":"","flags":0}"#,
        ]

        @Test(arguments: [
            (#""https://api.example.com""#, ["use", "ahead"]),
            (#""https://api.example.com","signs":"s3 eu-central-1""#, ["sign"]),
            (#""ssh://git@github.com""#, ["login"]),
            (#""codes""#, ["use", "ahead"]), (#""signatures""#, ["key"]), (#""decryptions""#, ["key"]),
            (#""value","form":"text""#, ["use", "ahead"]),
        ])
        func aLoanAnswersItsOwnKindAlone(target: String, own: [String]) throws {
            for (name, policy) in [("open", RequestTests.always), ("leased", Self.leased)] {
                try prepare(name, policy)
                let (lender, lent) = try begin(name, target)
                try #require(lent.done != nil, "\(lent.head.text)")
                for (kind, request) in Self.requests where !own.contains(kind) {
                    lender.send(request, [1, 2, 3])
                    let answer = try lender.receive()
                    #expect(answer.kind == "request" && answer.secret.isEmpty, "\(kind): \(answer.head.text)")
                    #expect(!answer.head.text.contains("signature\":"), "\(kind): \(answer.head.text)")
                }
            }
        }

        @Test(arguments: [#""codes""#, #""signatures""#, #""ssh://git@github.com""#, #""value","form":"text""#])
        func requestsToAServerAloneAreSigned(target: String) throws {
            try prepare("open", RequestTests.always)
            #expect(try begin("open", #"\#(target),"signs":"s3 eu-central-1""#).1.kind == "request")
        }

        /// An approval ahead gives back its own use, and none that was made.
        @Test func anApprovalAheadGivesNoUseBack() throws {
            try prepare("leased", Self.leased)
            let (lender, lent) = try begin("leased", #""\#(Self.server)""#)
            try #require(lent.done != nil, "\(lent.head.text)")
            let use = #"{"do":"use-loan","method":"GET","path":"/"}"#
            #expect(try lender.ask(use, [], RequestTests.answers).secret == Array("canary".utf8))
            for _ in 0..<4 {
                let ahead = try lender.ask(#"{"do":"use-loan","method":"GET","path":"/","ahead":true,"former":1}"#)
                #expect(ahead.kind == "request", "\(ahead.head.text)")
            }
            #expect(try lender.ask(use).secret == Array("canary".utf8))
            #expect(try lender.ask(use).kind == "dismissed", "both uses were made")
        }

        /// A borrower may have chosen the method of an approval ahead. It is no part of our sentence.
        @Test func aMethodIsNoSentence() throws {
            try prepare("leased", Self.leased)
            let (lender, lent) = try begin("leased", #""\#(Self.server)""#)
            try #require(lent.done != nil, "\(lent.head.text)")
            lender.send(
                #"{"do":"use-loan","method":"nothing, it looks\nServer: https://good.example","path":"","ahead":true,"claim":"a\nb\" (not checked)"}"#
            )
            let prompt = try #require(try lender.prompt())
            #expect(prompt.text.contains(#"send 'nothing, it looks?Se...'"#), "\(prompt.text)")
            #expect(prompt.text.contains(#""Request: 'nothing, it looks?Se...'"#), "\(prompt.text)")
            #expect(!prompt.text.contains("good.example"), "\(prompt.text)")
        }
    }
}
