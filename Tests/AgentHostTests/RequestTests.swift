import AccessPolicy
import AgentProtocol
import Foundation
import KeyKit
import PlainText
import SecretVault
import SodiumKit
import TestSupport
import Testing
import UserPresence
import VaultService

/// The suites that run real agents. The tests of each run one after the other, so that few agents run at a time.
@Suite(.waitsForProcesses) enum AgentTests {}

extension AgentTests {
    /// The effect of each request, and its refusals.
    @Suite(.serialized) struct RequestTests {
        static let answers = ["passcode": VaultOfTest.passcode, "biometry": "touch right index"]
        static let always = #"{"accessible":"whenUnlockedThisDeviceOnly","require":[]}"#
        static let passcode = #"{"accessible":"whenUnlockedThisDeviceOnly","require":["devicePasscode"]}"#

        /// A keychain stores longer secrets than a frame can hold. The agent says so, and the connection goes on.
        @Test func aSecretThatIsLongerThanAFrameIsRefused() throws {
            let vault = try VaultOfTest()
            let opened = try Vault.open(at: vault.path)
            try opened.enter(passcode: SecureBytes(VaultOfTest.passcode))
            let caller = Caller("test", groups: ["latchkey"])
            for (name, count) in [("longest", WireLimits.secret), ("longer", WireLimits.secret + 1)] {
                let item = ItemDescription(
                    .genericPassword, ["acct": .string(name), "svce": .string("latchkey")],
                    AccessControl(.whenUnlockedThisDeviceOnly), group: "latchkey")
                let isGranted = try opened.add(item, secret: SecureBytes(count: count), for: caller).isGranted
                try #require(isGranted)
            }
            opened.close()
            let agent = try RunningAgent(vault)
            defer { withExtendedLifetime(agent) {} }
            let client = try RawClient(vault.place.socket)
            #expect(try client.ask(#"{"do":"unlock"}"#, [], Self.answers).done != nil)
            let refused = try client.ask(#"{"do":"read","name":"longer"}"#, [], Self.answers).head.text
            #expect(refused.contains(#""kind":"request""#) && refused.contains("16777217"), "\(refused)")
            #expect(
                try client.ask(#"{"do":"read","name":"longest"}"#, [], Self.answers).secret.count == WireLimits.secret)
        }

        @Test func everyRequestDoesWhatItSays() throws {
            let vault = try VaultOfTest(fakeSensor: true)
            let agent = try RunningAgent(vault)
            let client = try RawClient(vault.place.socket)
            func ask(_ head: String, _ secret: [UInt8] = [], _ answers: [String: String] = Self.answers) throws
                -> RawClient.Frame
            {
                let frame = try client.ask(head, secret, answers)
                #expect(frame.done != nil, "\(head): \(frame.head.text)")
                return frame
            }
            #expect(try ask(#"{"do":"status"}"#).done?["state"] == .string("before-first-unlock"))
            _ = try ask(#"{"do":"unlock"}"#)
            #expect(try ask(#"{"do":"status"}"#).done?["state"] == .string("unlocked"))
            _ = try ask(#"{"do":"add","name":"a/b","policy":\#(Self.always),"comment":"c"}"#, [0, 255])
            #expect(try ask(#"{"do":"read","name":"a/b"}"#).secret == [0, 255])
            _ = try ask(#"{"do":"add","name":"a/b","replace":true}"#, [1])
            #expect(try ask(#"{"do":"read","name":"a/b"}"#).secret == [1])
            _ = try ask(#"{"do":"change","name":"a/b","new-name":"c","comment":"d","policy":\#(Self.passcode)}"#, [2])
            client.send(#"{"do":"list"}"#)
            let more = try client.receive().head
            #expect(more.text.contains(#""name":"c""#) && more.text.contains(#""comment":"d""#))
            #expect(more.text.contains("devicePasscode"))
            #expect(try client.answer().done?["count"] == .number("1"))
            let shown = try ask(#"{"do":"show","name":"c"}"#).head.text
            #expect(shown.contains(#""verdict":"asks""#) && shown.contains("passcode"))
            #expect(try ask(#"{"do":"read","name":"c","reason":"why"}"#).secret == [2])
            _ = try ask(#"{"do":"move","name":"c","new-name":"f/c","copy":true,"reason":"why"}"#)
            _ = try ask(#"{"do":"move","name":"f","new-name":"f/g","folder":true,"reason":"why"}"#)
            #expect(try ask(#"{"do":"read","name":"f/g/c"}"#).secret == [2])
            #expect(try ask(#"{"do":"remove-folder","name":"f","count":1}"#).done?["count"] == .number("1"))
            _ = try ask(#"{"do":"remove","name":"c"}"#)
            #expect(try ask(#"{"do":"verify"}"#).done?["findings"] == .number("0"))
            _ = try ask(#"{"do":"enroll","name":"right index"}"#)
            #expect(try ask(#"{"do":"enrolled"}"#).done?["enrolled"] == .array([.string("right index")]))
            #expect(try ask(#"{"do":"match"}"#).done?["matched"] == .bool(true))
            try useKeys(ask)
            _ = try ask(#"{"do":"lock"}"#)
            #expect(try ask(#"{"do":"status"}"#).done?["state"] == .string("locked"))
            _ = try ask(#"{"do":"unlock","sensor":true}"#)
            #expect(try ask(#"{"do":"status"}"#).done?["state"] == .string("unlocked"))
            _ = try ask(#"{"do":"unenroll","name":"right index"}"#)
            _ = try ask(#"{"do":"enroll","name":"left thumb"}"#)
            _ = try ask(#"{"do":"reset-sensor"}"#)
            #expect(try ask(#"{"do":"enrolled"}"#).done?["enrolled"] == .array([]))
            client.send(#"{"do":"log","after":1,"latest":2}"#)
            let records = try client.receive().head.text
            #expect(records.contains(#""pid":\#(getpid())"#), "it says who asked: \(records)")
            guard case .number(let last) = try client.answer().done?["last"] else { throw RawClient.Trouble.closed }
            #expect(try #require(Int(last)) > 5)
            try lookAfter(vault, ask)
            #expect(client.isClosed())
            #expect(agent.wait() == 0)
        }

        /// Tests a key in the enclave, and an imported one.
        private func useKeys(_ ask: (String, [UInt8], [String: String]) throws -> RawClient.Frame) throws {
            let generated = try ask(
                #"{"do":"generate-key","name":"k","type":"p256","in-enclave":true,"policy":\#(Self.passcode)}"#, [], [:]
            )
            #expect(generated.head.text.contains(#""in-enclave":true"#) && generated.secret.isEmpty)
            #expect(try ask(#"{"do":"key","name":"k"}"#, [], [:]).done == generated.done, "nothing was asked")
            let digest = String(repeating: "5a", count: 32)
            let signed = try ask(
                #"{"do":"sign","name":"k","digest":"\#(digest)","algorithm":"ecdsa-sha256","raw":true}"#, [],
                Self.answers)
            guard case .string(let signature) = signed.done?["signature"] else { throw RawClient.Trouble.closed }
            #expect(signature.utf8.count == 128)

            let key = try PrivateKey.generate(.ec(.p384))
            let bytes = key.withExternalRepresentation { $0.withUnsafeBytes { Array($0) } }
            let imported = try ask(
                #"{"do":"import-key","name":"i","family":"ec","policy":\#(Self.always)}"#, bytes, [:])
            #expect(imported.head.text.contains(#""in-enclave":false"#) && imported.secret.isEmpty)
            let message: [UInt8] = [1, 2, 3]
            let box = try key.publicKey.encrypt(
                message.span.bytes, with: EncryptionAlgorithm.eciesSHA384.scheme)
            #expect(try ask(#"{"do":"decrypt","name":"i","algorithm":"ecies-sha384"}"#, box, [:]).secret == message)
            for name in ["k", "i"] { _ = try ask(#"{"do":"remove-key","name":"\#(name)"}"#, [], [:]) }
        }

        /// Tests the passcode, backups, and the end.
        private func lookAfter(
            _ vault: VaultOfTest, _ ask: (String, [UInt8], [String: String]) throws -> RawClient.Frame
        ) throws {
            let backup = vault.folder.path("backup")
            _ = try ask(#"{"do":"add","name":"kept"}"#, [9], [:])
            let made = try ask(
                #"{"do":"back-up","path":"\#(backup)"}"#, [],
                Self.answers.merging(["new-passphrase": "a long passphrase"]) { $1 })
            #expect(made.done?["written"] != nil)
            _ = try ask(#"{"do":"take-in","path":"\#(backup)"}"#, [], ["passphrase": "a long passphrase"])
            _ = try ask(
                #"{"do":"change-passcode"}"#, [], ["passcode": VaultOfTest.passcode, "new-passcode": "another"])
            let transfer = vault.folder.path("transfer")
            _ = try ask(
                #"{"do":"transfer","path":"\#(transfer)","keep":true}"#, [],
                ["passcode": "another", "new-passphrase": "a long passphrase"])
            try Vault.requireTransfer(at: transfer)
            let key = try VaultOfTest.recoveryKey(fakeSensor: true)
            _ = try ask(#"{"do":"recover"}"#, [], ["recovery-key": key, "new-passcode": "a third one"])
            _ = try ask(#"{"do":"unlock"}"#, [], ["passcode": "a third one"])
            let opened = try Vault.openTransfer(at: transfer, passphrase: SecureBytes("a long passphrase"))
            #expect(try Vault.receive(opened, at: vault.folder.path("received")).retirementCode == nil)
            _ = try ask(#"{"do":"stop"}"#, [], [:])
        }

        /// A backup states its cost. One that costs more than the vault's own is named before anything is typed.
        @Test(arguments: [
            (3, "restore a backup"), (4, "restore a backup; checking its passphrase takes 1024 MiB of memory"),
        ])
        func thePromptNamesTheHigherCostOfABackup(_ cost: UInt8, _ reason: String) throws {
            let vault = try VaultOfTest()
            let agent = try RunningAgent(vault)
            defer { withExtendedLifetime(agent) {} }
            let client = try RawClient(vault.place.socket)
            #expect(try client.ask(#"{"do":"unlock"}"#, [], Self.answers).done != nil)
            // The head, two boxes of keys, and the record that ends a backup.
            let head = Array("LatchBak".utf8) + [1, 0, 0, 0, cost] + [UInt8](repeating: 7, count: 16)
            let path = vault.folder.path("backup")
            try Data(head + [UInt8](repeating: 7, count: 208) + [255, 1, 0, 0, 0, 7]).write(to: URL(filePath: path))
            client.send(#"{"do":"take-in","path":"\#(path)"}"#)
            var reasons: [String] = []
            while var content = try client.prompt() {
                let (number, wish) = (try content.consumeNumber("number"), try content.consumeText("wish"))
                reasons.append("\(wish): " + (try content.consumeText("reason")))
                client.send(#"{"answer":"cancel","number":\#(number)}"#)
            }
            #expect(reasons == ["passphrase: \(reason)"])
        }

        /// Requests that the agent refuses, each with the kind of the error.
        static let refusals: [(head: String, kind: String)] = [
            (#"{"do":"read","name":"no such"}"#, "not-found"),
            (#"{"do":"show","name":"no such"}"#, "not-found"),
            (#"{"do":"remove","name":"no such"}"#, "not-found"),
            (#"{"do":"remove","name":"no such","final":true}"#, "not-found"),
            (#"{"do":"put-back","name":"no such"}"#, "not-found"),
            (#"{"do":"change","name":"no such","comment":"x"}"#, "not-found"),
            (#"{"do":"add","name":"there"}"#, "exists"),
            (#"{"do":"change","name":"there","new-name":"other"}"#, "exists"),
            (#"{"do":"add","name":""}"#, "request"),
            (#"{"do":"add","name":"a//b"}"#, "request"),
            (#"{"do":"add","name":"\#(String(repeating: "x", count: 1025))"}"#, "request"),
            (#"{"do":"add","name":"x","policy":{"accessible":"always","require":["privateKeyUsage"]}}"#, "denied"),
            (#"{"do":"add","name":"x","policy":{"accessible":"always","require":["or","and"]}}"#, "request"),
            (#"{"do":"read","name":"guarded","ask":false}"#, "nobody-there"),
            (#"{"do":"read","name":"guarded"}"#, "dismissed"),
            (#"{"do":"unlock","ask":false}"#, "nobody-there"),
            (#"{"do":"change-passcode","ask":false}"#, "nobody-there"),
            (#"{"do":"change-passcode"}"#, "dismissed"),
            (#"{"do":"recover"}"#, "dismissed"),
            (#"{"do":"back-up","path":"relative"}"#, "request"),
            (#"{"do":"take-in","path":"relative"}"#, "request"),
            (#"{"do":"transfer","path":"relative"}"#, "request"),
            (#"{"do":"transfer","path":"/nowhere/at/all"}"#, "vault"),
            (#"{"do":"retire","code":"0000-0000-0000-0000"}"#, "wrong"),
            // The agent refuses this one before it shows a prompt.
            (#"{"do":"back-up","path":"/nowhere/at/all"}"#, "vault"),
            (#"{"do":"take-in","path":"/nowhere/at/all"}"#, "vault"),
            (#"{"do":"take-in","path":"/proc/self/status"}"#, "damaged"),
            (#"{"do":"key","name":"no such"}"#, "not-found"),
            (#"{"do":"remove-key","name":"there"}"#, "not-found"),
            (#"{"do":"certificate","name":"no such"}"#, "not-found"),
            (#"{"do":"set-certificate","name":"no such"}"#, "not-found"),
            (#"{"do":"sign","name":"no such","digest":"00","algorithm":"ecdsa-sha256"}"#, "not-found"),
            (#"{"do":"sign","name":"no such","digest":"0","algorithm":"ecdsa-sha256"}"#, "request"),
            (#"{"do":"decrypt","name":"no such","algorithm":"ecies-sha256"}"#, "not-found"),
            (#"{"do":"generate-key","name":"a//b","type":"p256"}"#, "request"),
            (#"{"do":"generate-key","name":"x","type":"rsa2048","in-enclave":true}"#, "request"),
            (
                #"{"do":"generate-key","name":"x","type":"p256","policy":{"accessible":"always","require":["or","and"]}}"#,
                "request"
            ),
            (#"{"do":"import-key","name":"x","family":"ec"}"#, "request"),
            (#"{"do":"generate-key","name":"x","type":"p192"}"#, "closed"),
            (#"{"do":"sign","name":"x","digest":"00","algorithm":"none"}"#, "closed"),
            (#"{"do":"match"}"#, "denied"),
            (#"{"do":"enroll","name":"x"}"#, "request"),
            (#"{"do":"unlock","sensor":true}"#, "any"),
            // A frame that is no request of this protocol gets an error, and the connection ends.
            (#"{"do":"nothing"}"#, "closed"), (#"{"do":"read"}"#, "closed"), (#"{}"#, "closed"), (#"[]"#, "closed"),
            (#"{"do":"status","colour":"red"}"#, "closed"), (#"{"do":"read","name":1}"#, "closed"),
            (#"{"do":"read","name":"there","ask":1}"#, "closed"), (#"{"do":"log","after":1.5}"#, "closed"),
            (#"{"do":"log","after":99999999999999999999}"#, "closed"),
            (#"{"do":"add","name":"x","policy":{"accessible":"whenUnlocked","require":[],"more":1}}"#, "closed"),
            (#"{"do":"add","name":"x","policy":{"accessible":"never","require":[]}}"#, "closed"),
            (#"{"do":"add","name":"x","policy":{"accessible":"whenUnlocked","require":["magic"]}}"#, "closed"),
        ]

        @Test func everyRefusalSaysItsKindAndAWayOut() throws {
            let vault = try VaultOfTest()
            let agent = try RunningAgent(vault)
            let first = try RawClient(vault.place.socket)
            #expect(try first.ask(#"{"do":"read","name":"x"}"#).kind == "not-found")
            #expect(try first.ask(#"{"do":"unlock"}"#, [], ["passcode": "wrong one"]).kind == "wrong")
            _ = try first.ask(#"{"do":"unlock"}"#, [], Self.answers)
            for (name, policy) in [("there", Self.always), ("other", Self.always), ("guarded", Self.passcode)] {
                #expect(try first.ask(#"{"do":"add","name":"\#(name)","policy":\#(policy)}"#, [7]).done != nil)
            }
            for (head, kind) in Self.refusals {
                let client = try RawClient(vault.place.socket)
                let frame = try client.ask(head)
                #expect(frame.done == nil, "\(head) was done")
                if kind != "any" {
                    #expect(frame.kind == (kind == "closed" ? "request" : kind), "\(head): \(frame.head.text)")
                }
                if kind == "closed" {
                    #expect(client.isClosed(), "\(head)")
                } else {
                    #expect(try client.ask(#"{"do":"status"}"#).done != nil, "\(head)")
                }
            }
            let backup = vault.folder.path("backup")
            #expect(try first.ask(#"{"do":"back-up","path":"\#(backup)"}"#).kind == "dismissed")
            #expect(!FileManager.default.fileExists(atPath: backup))
            #expect(try first.ask(#"{"do":"lock"}"#).done != nil)
            #expect(try first.ask(#"{"do":"read","name":"there"}"#).kind == "locked")
            #expect(try first.ask(#"{"do":"add","name":"new"}"#, [1]).kind == "locked")
            #expect(agent.isAlive)
        }

        /// The user of one client typed the passcode. That does not count for another client.
        @Test func whatOneClientProvesServesNoOther() throws {
            let vault = try VaultOfTest()
            let agent = try RunningAgent(vault)
            let one = try RawClient(vault.place.socket)
            let other = try RawClient(vault.place.socket)
            _ = try one.ask(#"{"do":"unlock"}"#, [], Self.answers)
            _ = try one.ask(#"{"do":"add","name":"guarded","policy":\#(Self.passcode)}"#, [7])
            #expect(try one.ask(#"{"do":"read","name":"guarded","ask":false}"#).secret == [7])
            for _ in 0..<3 {
                #expect(try other.ask(#"{"do":"read","name":"guarded","ask":false}"#).kind == "nobody-there")
                #expect(try other.ask(#"{"do":"read","name":"guarded"}"#).kind == "dismissed")
            }
            let third = try RawClient(vault.place.socket)
            #expect(try third.ask(#"{"do":"read","name":"guarded","ask":false}"#).kind == "nobody-there")
            #expect(agent.isAlive)
        }
    }
}
