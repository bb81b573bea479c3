import AgentProtocol
import Foundation
import KeyKit
import PlainText
import SSHProtocol
import SodiumKit
import TestSupport
import Testing

extension AgentTests {
    /// Logins by SSH that are lent: which of them the agent signs, what one answer counts for, and what ends it.
    @Suite struct LoginLoanTests {
        private static let target = "ssh://git@github.com"
        private let vault: VaultOfTest
        private let agent: RunningAgent
        private let owner: RawClient
        private let host: Host
        /// A host that the owner knows under another name.
        private let other: Host

        /// A host that signs its connections. Its key is in a class, because it has one owner.
        private final class Host: Sendable {
            let secret: PrivateKey
            var key: SSHPublicKey { SSHPublicKey(secret.publicKey) }

            init() throws { secret = try PrivateKey.generate(.ed25519) }

            func sign(_ session: [UInt8]) throws -> [UInt8] {
                SSHSignatureScheme.ed25519.encode(try secret.sign(session.span.bytes, with: .ed25519))
            }
        }

        init() throws {
            vault = try VaultOfTest(settings: VaultSettings([.reuse: 600]))
            (host, other) = (try Host(), try Host())
            // The agent knows the hosts that are in its home folder.
            try FileManager.default.createDirectory(
                atPath: vault.folder.path(".ssh"), withIntermediateDirectories: false)
            let known =
                "github.com,[github.com]:2222 \(host.key.line(comment: ""))\nelsewhere.example \(other.key.line(comment: ""))\n"
            try known.write(toFile: vault.folder.path(".ssh/known_hosts"), atomically: true, encoding: .utf8)
            agent = try RunningAgent(vault)
            owner = try RawClient(vault.place.socket)
            for (name, more) in [
                ("open", #""type":"ed25519","policy":\#(RequestTests.always)"#),
                ("enclave", #""type":"p256","in-enclave":true,"policy":\#(RequestTests.always)"#),
                ("rsa", #""type":"rsa2048","policy":\#(RequestTests.always)"#),
                (
                    "leased",
                    #""type":"ed25519","policy":{"accessible":"whenUnlockedThisDeviceOnly","require":["userPresence"],"reuse":true}"#
                ),
                (
                    "each",
                    #""type":"p256","in-enclave":true,"policy":{"accessible":"whenUnlockedThisDeviceOnly","require":["userPresence"]}"#
                ),
            ] {
                let made = try owner.ask(
                    #"{"do":"generate-key","name":"\#(name)",\#(more),"unlock":true}"#, [], RequestTests.answers)
                try #require(made.done != nil, "\(made.head.text)")
            }
        }

        private func allow(
            _ name: String, _ members: String, _ answers: [String: String] = RequestTests.answers
        ) throws -> RawClient.Frame {
            try RawClient(vault.place.socket).ask(
                #"{"do":"allow-lending","name":"\#(name)",\#(members)}"#, [], answers)
        }

        private func begin(
            _ name: String, at lender: RawClient, _ target: String = Self.target, to borrower: String = "site"
        ) throws -> RawClient.Frame {
            try lender.ask(
                #"{"do":"lend","name":"\#(name)","borrower":"\#(borrower)","command":"git push","target":"\#(target)","uses":2,"minutes":5}"#
            )
        }

        /// A connection that lends a key, and the public half of the key.
        private func lend(_ name: String, to borrower: String = "site") throws -> (RawClient, SSHPublicKey) {
            try #require(try allow(name, #""allow":["\#(Self.target)"]"#).done != nil)
            let lender = try RawClient(vault.place.socket)
            var head = try begin(name, at: lender, to: borrower).head
            var done = try #require(try head.consumeHeadIfPresent("done"), "\(head.text)")
            let blob = try #require(Base64.bytes(try done.consumeText("key")))
            return (lender, try #require(SSHPublicKey(blob: blob)))
        }

        /// The parts of a request for a signature, each of which can be changed.
        private struct Request {
            var hostKey: [UInt8]
            var session: [UInt8] = [1, 2, 3]
            var signature: [UInt8]
            var login: [UInt8]
            var flags = 4

            var text: String {
                #"{"do":"sign-login","host-key":"\#(Hexadecimal.text(hostKey))","session":"\#(Hexadecimal.text(session))","#
                    + #""host-signature":"\#(Hexadecimal.text(signature))","login":"\#(Hexadecimal.text(login))","flags":\#(flags)}"#
            }
        }

        /// Returns what an SSH client signs to log in, in the form that names the host unless it is nil.
        private func login(
            _ key: SSHPublicKey, as user: String = "git", over session: [UInt8] = [1, 2, 3], at host: SSHPublicKey?
        ) -> [UInt8] {
            var data = SSHWriter()
            data.string(session)
            data.byte(50)
            data.string(user)
            data.string("ssh-connection")
            data.string(host == nil ? "publickey" : "publickey-hostbound-v00@openssh.com")
            data.byte(1)
            data.string(key.typeName == "ssh-rsa" ? "rsa-sha2-512" : key.typeName)
            data.string(key.blob)
            if let host { data.string(host.blob) }
            return data.bytes
        }

        private func request(_ key: SSHPublicKey) throws -> Request {
            Request(
                hostKey: host.key.blob, signature: try host.sign([1, 2, 3]), login: login(key, at: host.key))
        }

        /// Expects a signature of the login by the key.
        private func expectSigned(
            _ frame: RawClient.Frame, _ request: Request, by key: SSHPublicKey,
            _ location: SourceLocation = #_sourceLocation
        ) throws {
            var head = frame.head
            var done = try #require(
                try head.consumeHeadIfPresent("done"), "\(frame.head.text)", sourceLocation: location)
            let signature = try #require(Hexadecimal.bytes(try done.consumeText("signature")))
            #expect(key.verify(signature, of: request.login), sourceLocation: location)
            #expect(frame.secret.isEmpty, sourceLocation: location)
        }

        @Test(arguments: ["open", "enclave", "rsa"]) func itSignsTheLoginThatIsLent(_ name: String) throws {
            let (lender, key) = try lend(name)
            var request = try request(key)
            try expectSigned(try lender.ask(request.text), request, by: key)
            // A host with an older sshd does not put its key into the login.
            request.login = login(key, at: nil)
            try expectSigned(try lender.ask(request.text), request, by: key)
        }

        /// The key needs no authentication, and the loan alone decides.
        @Test func everythingElseIsRefused() throws {
            let (lender, key) = try lend("open")
            let (_, enclave) = try lend("enclave")
            let right = try request(key)
            var file = Array("SSHSIG".utf8)
            var rest = SSHWriter()
            for part in ["git", "", "sha512"] { rest.string(part) }
            rest.string([UInt8](repeating: 7, count: 64))
            file += rest.bytes
            let changes: [(String, (inout Request) throws -> Void)] = [
                ("another user", { $0.login = login(key, as: "root", at: host.key) }),
                ("no user", { $0.login = login(key, as: "", at: host.key) }),
                (
                    "another host",
                    {
                        ($0.hostKey, $0.signature) = (other.key.blob, try other.sign([1, 2, 3]))
                        $0.login = login(key, at: other.key)
                    }
                ),
                (
                    "an unknown host",
                    {
                        let unknown = try Host()
                        ($0.hostKey, $0.signature) = (unknown.key.blob, try unknown.sign([1, 2, 3]))
                        $0.login = login(key, at: nil)
                    }
                ),
                ("a host that has not signed", { $0.signature = try other.sign([1, 2, 3]) }),
                ("a signature of another connection", { $0.signature = try host.sign([4]) }),
                ("no signature of the host", { $0.signature = [] }), ("no key of the host", { $0.hostKey = [] }),
                ("no connection", { $0.session = [] }),
                ("a login over another connection", { $0.login = login(key, over: [4], at: host.key) }),
                ("a login that names another host", { $0.login = login(key, at: other.key) }),
                ("another key", { $0.login = login(enclave, at: host.key) }), ("a file", { $0.login = file }),
                ("other data", { $0.login = [1, 2, 3] }), ("nothing", { $0.login = [] }),
                ("a longer login", { $0.login.append(0) }),
                (
                    "a certificate",
                    { $0.login = Array("ssh-ed25519-cert-v01@openssh.com".utf8) + [UInt8](repeating: 0, count: 99) }
                ),
            ]
            for (what, change) in changes {
                var wrong = right
                try change(&wrong)
                let refused = try lender.ask(wrong.text)
                #expect(refused.kind == "denied" && refused.secret.isEmpty, "\(what): \(refused.head.text)")
            }
            let (rsaLender, rsa) = try lend("rsa")
            var weak = try request(rsa)
            weak.flags = 0
            #expect(try rsaLender.ask(weak.text).kind == "denied", "SHA-1")
            let answer = try lender.ask(right.text)
            try expectSigned(answer, right, by: key)
            #expect(answer.head.text.contains(#""number":1"#), "a refusal counts for nothing: \(answer.head.text)")
        }

        /// A loan of logins gives out nothing else, and no other loan signs logins.
        @Test func theOtherRequestsAreRefused() throws {
            let (lender, key) = try lend("open")
            #expect(try lender.ask(#"{"do":"use-loan","method":"GET","path":"/"}"#).kind == "request")
            #expect(
                try lender.ask(#"{"do":"sign-loan","method":"GET","path":"/","query":"","fields":[]}"#).kind
                    == "request")
            #expect(try RawClient(vault.place.socket).ask(try request(key).text).kind == "request")
            let added = try owner.ask(
                #"{"do":"add","name":"secret","policy":\#(RequestTests.always)}"#, Array("s".utf8), RequestTests.answers
            )
            #expect(added.done != nil)
            #expect(try allow("secret", #""allow":["https://github.com"]"#).done != nil)
            let giving = try RawClient(vault.place.socket)
            #expect(try begin("secret", at: giving, "https://github.com").done != nil)
            #expect(try giving.ask(try request(key).text).kind == "request")
        }

        @Test func onlyThePasscodeAllowsAHost() throws {
            let lender = try RawClient(vault.place.socket)
            #expect(try begin("open", at: lender).kind == "denied")
            #expect(try allow("open", #""allow":["\#(Self.target)"]"#, [:]).kind == "dismissed")
            #expect(try allow("open", #""allow":["ssh://github.com"]"#).kind == "request")
            #expect(try allow("open", #""allow":["\#(Self.target)","https://github.com"]"#).kind == "request")
            #expect(try allow("open", #""allow":["https://github.com"]"#).kind == "not-found", "there is no secret")
            let owner = try RawClient(vault.place.socket)
            owner.send(#"{"do":"allow-lending","name":"open","allow":["ssh://git@GitHub.com:22"]}"#)
            let prompt = try #require(try owner.prompt())
            #expect(prompt.text.contains("May be lent for: logins to github.com as git"), "\(prompt.text)")
            owner.send(#"{"answer":"typed","number":1}"#, Array(VaultOfTest.passcode.utf8))
            #expect(try owner.answer().head.text.contains(#""targets":["\#(Self.target)"]"#))
            #expect(try allow("open", #""ask":false"#).head.text.contains(#""targets":["\#(Self.target)"]"#))
            // It is for this user, this host and this port.
            for target in ["ssh://root@github.com", "ssh://git@elsewhere.example", "ssh://git@github.com:2222"] {
                #expect(try begin("open", at: lender, target).kind == "denied", "\(target)")
            }
            #expect(try begin("open", at: lender).done != nil)
            let key = try #require(SSHPublicKey(blob: try blob("open")))
            #expect(try lender.ask(try request(key).text).done != nil)
            #expect(try allow("open", #""forbid":["\#(Self.target)"]"#).done != nil)
            #expect(try lender.ask(try request(key).text).kind == "denied", "what is forbidden later ends at once")
        }

        private func blob(_ name: String) throws -> [UInt8] {
            let (_, key) = try lend(name)
            return key.blob
        }

        @Test func aHostThatTheOwnerDoesNotKnowIsLentTo() throws {
            #expect(try allow("open", #""allow":["ssh://git@nowhere.example"]"#).done != nil)
            let lender = try RawClient(vault.place.socket)
            let refused = try begin("open", at: lender, "ssh://git@nowhere.example")
            #expect(refused.kind == "not-found" && refused.head.text.contains("no key of nowhere.example is known"))
        }

        /// The limits that `latchkey ssh add --to` gave a key hold for a loan as well.
        @Test func theLimitsOfAKeyHold() throws {
            let destination = { (host: Host, name: String) in
                #"{"user":"git","to":"\#(name)","to-keys":["\#(Base64.text(host.key.blob))"]}"#
            }
            func limit(_ text: String) throws {
                let added = try owner.ask(
                    #"{"do":"add-ssh-key","name":"open","key":"","comment":"","destinations":[\#(text)]}"#)
                try #require(added.done != nil, "\(added.head.text)")
            }
            let (lender, key) = try lend("open")
            try limit(destination(other, "elsewhere.example"))
            let refused = try lender.ask(try request(key).text)
            #expect(refused.kind == "denied" && refused.head.text.contains("--to"), "\(refused.head.text)")
            try limit(destination(host, "github.com"))
            #expect(try lender.ask(try request(key).text).done != nil)
        }

        @Test func oneAnswerCountsForALeaseOrForAUse() throws {
            let (lender, key) = try lend("leased")
            let request = try request(key)
            lender.send(request.text)
            let prompt = try #require(try lender.prompt())
            for words in [
                #""secret":"leased""#, "log in to github.com as git", "Lent to site, which runs: git push",
                #""counts":{"for":"loan","seconds":300,"uses":2}"#,
            ] {
                #expect(prompt.text.contains(words), "\(prompt.text)")
            }
            lender.send(#"{"answer":"typed","number":1}"#, Array(VaultOfTest.passcode.utf8))
            try expectSigned(try lender.answer(), request, by: key)
            try expectSigned(try lender.ask(request.text), request, by: key)
            #expect(try lender.ask(request.text).kind == "dismissed", "the third use asks")
            // Another borrower: this one is silent now.
            let (each, hardware) = try lend("each", to: "other")
            let login = try self.request(hardware)
            for _ in 0..<2 { try expectSigned(try each.ask(login.text, [], RequestTests.answers), login, by: hardware) }
            #expect(try each.ask(login.text).kind == "dismissed", "each use asks")
        }

        @Test func aLockEndsItAndTheLogNamesTheBorrower() throws {
            let (lender, key) = try lend("open")
            #expect(try lender.ask(try request(key).text).done != nil)
            var frame = try owner.ask(#"{"do":"log","after":0}"#)
            var log = frame.head.text
            while frame.head["more"] != nil {
                frame = try owner.receive()
                log += frame.head.text
            }
            #expect(log.contains("lent to site for \(Self.target)"), "\(log)")
            #expect(try owner.ask(#"{"do":"lock"}"#).done != nil)
            #expect(throws: RawClient.Trouble.closed) { try lender.receive() }
        }
    }
}
