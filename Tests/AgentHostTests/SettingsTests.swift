import AccessPolicy
import AgentProtocol
import Foundation
import Latchkey
import PlainText
import SodiumKit
import TestSupport
import Testing
import UserPresence

extension AgentTests {
    /// The settings of a vault are sealed in it, and change only under the passcode.
    @Suite(.serialized) struct SettingsTests {
        private static let chosen =
            #"{"lock-after":300,"pam-service":"","policy":{"accessible":"whenUnlockedThisDeviceOnly","require":["userPresence"]},"reuse":0,"sensor":""}"#

        private func settings(_ client: RawClient) throws -> String {
            try client.ask(#"{"do":"settings"}"#).done.map { JSON.object($0).text } ?? ""
        }

        /// Before the first passcode nothing shows what the owner chose, so strict settings hold.
        @Test func strictSettingsHoldUntilAPasscodeHasCheckedThem() throws {
            let vault = try VaultOfTest(
                settings: VaultSettings([
                    .lockAfter: 0, .reuse: 600, .defaultPolicy: .policy(ItemPolicy(.always, [])), .clipboardTime: 0,
                    .secretRules: "app=* -> once-per-session",
                ]))
            let agent = try RunningAgent(vault)
            defer { withExtendedLifetime(agent) {} }
            let client = try RawClient(vault.place.socket)
            let strict = try settings(client)
            for part in [
                #""lock-after":600"#, #""reuse":0"#, #""policy":{"accessible":"whenUnlockedThisDeviceOnly""#,
                #""require":["devicePasscode"]"#, #""unchecked":true"#, #""lock-at-logout":true"#,
            ] {
                #expect(strict.contains(part), "\(part) in \(strict)")
            }
            #expect(!strict.contains("once-per-session") && !strict.contains("clipboard-time"))
            let status = try client.ask(#"{"do":"status"}"#).head.text
            #expect(status.contains(#""settings-unchecked":true"#) && status.contains(#""locks-after":600"#))
            _ = try client.ask(#"{"do":"unlock"}"#, [], RequestTests.answers)
            let own = try settings(client)
            for part in [#""lock-after":0"#, #""reuse":600"#, #""accessible":"always""#, "once-per-session"] {
                #expect(own.contains(part), "\(part) in \(own)")
            }
            #expect(!own.contains("unchecked"))
            _ = try client.ask(#"{"do":"lock"}"#)
            #expect(try settings(client) == own, "a lock changes no setting")
        }

        @Test func nothingChangesWithoutThePasscode() throws {
            let vault = try VaultOfTest(settings: VaultSettings([.lockAfter: 300]))
            let agent = try RunningAgent(vault)
            defer { withExtendedLifetime(agent) {} }
            let client = try RawClient(vault.place.socket)
            _ = try client.ask(#"{"do":"unlock"}"#, [], RequestTests.answers)
            for member in [#""reuse":600"#, #""lock-after":0"#, #""policy":{"accessible":"always","require":[]}"#] {
                // Another connection, because a passcode counts for the one where it was typed.
                let other = try RawClient(vault.place.socket)
                let unasked = try other.ask("{\"do\":\"settings\",\"ask\":false,\(member)}")
                #expect(unasked.kind == "nobody-there", "\(member)")
                let dismissed = try other.ask("{\"do\":\"settings\",\(member)}", [], [:])
                #expect(dismissed.done == nil, "\(member)")
                #expect(try settings(other) == Self.chosen, "\(member)")
            }
            let wrong = try client.ask(#"{"do":"settings","reuse":600}"#, [], ["passcode": "wrong"])
            #expect(wrong.done != nil, "this connection has typed the passcode, so it is not asked")
            let other = try RawClient(vault.place.socket)
            #expect(try other.ask(#"{"do":"settings","reuse":1}"#, [], ["passcode": "wrong"]).done == nil)
            #expect(try settings(other).contains(#""reuse":600"#))
        }

        @Test(arguments: [
            #""reuse":-1"#, #""reuse":43201"#, #""reuse":9223372036854775807"#, #""lock-after":-1"#,
            #""lock-after":9223372036854775807"#, #""policy":{"accessible":"always","require":["or","and"]}"#,
            #""clipboard-time":-1"#, #""clipboard-time":3601"#, #""pam-service":"a/b""#, #""pam-service":"../x""#,
            #""pam-service":"/etc/pam.d/""#,
            #""pam-service":"/etc/../etc/pam.d/login""#, #""sensor":"/bin/true""#, #""sensor":"""#,
        ])
        func whatNoVaultCanHaveIsRefusedBeforeAnyPrompt(_ member: String) throws {
            let vault = try VaultOfTest(settings: VaultSettings([.lockAfter: 300]))
            let agent = try RunningAgent(vault)
            defer { withExtendedLifetime(agent) {} }
            let client = try RawClient(vault.place.socket)
            _ = try client.ask(#"{"do":"unlock"}"#, [], RequestTests.answers)
            #expect(try client.ask("{\"do\":\"settings\",\(member)}").kind == "request")
            #expect(try settings(client) == Self.chosen)
        }

        /// The default of the vault is the policy of a secret that names none.
        @Test func theDefaultPolicyIsUsed() throws {
            let vault = try VaultOfTest()
            let agent = try RunningAgent(vault)
            defer { withExtendedLifetime(agent) {} }
            let client = try RawClient(vault.place.socket)
            _ = try client.ask(#"{"do":"unlock"}"#, [], RequestTests.answers)
            let policy = #"{"accessible":"afterFirstUnlock","require":[]}"#
            #expect(try client.ask("{\"do\":\"settings\",\"policy\":\(policy)}", [], RequestTests.answers).done != nil)
            for request in [#"{"do":"add","name":"a"}"#, #"{"do":"exchange","former":[],"name":"b"}"#] {
                #expect(
                    try client.ask(request, [1]).head.text.contains(
                        #""policy":{"accessible":"afterFirstUnlock","require":[]}"#), "\(request)")
            }
            _ = try client.ask(#"{"do":"lock"}"#)
            #expect(try client.ask(#"{"do":"read","name":"a"}"#).secret == [1])
        }

        /// The usual time is nowhere written.
        @Test func theTimeOfTheClipboardIsKeptUnlessItIsTheUsualOne() throws {
            let vault = try VaultOfTest(settings: VaultSettings([.lockAfter: 300]))
            for (time, expected) in [(0, 0 as Int?), (3600, 3600), (45, nil), (20, 20)] {
                let agent = try RunningAgent(vault)
                defer { withExtendedLifetime(agent) {} }
                let client = try RawClient(vault.place.socket)
                _ = try client.ask(#"{"do":"unlock"}"#, [], RequestTests.answers)
                let changed = try client.ask(
                    "{\"do\":\"settings\",\"clipboard-time\":\(time)}", [], RequestTests.answers)
                #expect(changed.done?["clipboard-time"] == expected.map { .number("\($0)") })
            }
            let agent = try RunningAgent(vault)
            defer { withExtendedLifetime(agent) {} }
            let client = try RawClient(vault.place.socket)
            _ = try client.ask(#"{"do":"unlock"}"#, [], RequestTests.answers)
            #expect(try settings(client).contains(#""clipboard-time":20"#))
        }

        /// A change that waits for its passcode does not bring back what another one has changed meanwhile.
        @Test func twoChangesAtATimeBothCount() throws {
            let vault = try VaultOfTest(settings: VaultSettings([.lockAfter: 300]))
            let agent = try RunningAgent(vault)
            defer { withExtendedLifetime(agent) {} }
            let (slow, quick) = (try RawClient(vault.place.socket), try RawClient(vault.place.socket))
            _ = try quick.ask(#"{"do":"unlock"}"#, [], RequestTests.answers)
            #expect(try quick.ask(#"{"do":"settings","reuse":60}"#, [], RequestTests.answers).done != nil)
            slow.send(#"{"do":"settings","lock-after":200}"#)
            let prompt = try slow.receive().head.text
            let number = try #require(prompt.firstMatch(of: /"number":(\d+)/)).1
            #expect(try quick.ask(#"{"do":"settings","reuse":0}"#, [], RequestTests.answers).done != nil)
            slow.send(#"{"answer":"typed","number":\#(number)}"#, Array(VaultOfTest.passcode.utf8))
            #expect(try slow.answer().done?["reuse"] == .number("0"))
        }

        /// A kept context counts only for an item that allows reuse as it is when it is read.
        @Test func theVaultItselfRefusesReuseForOtherItems() throws {
            let vault = try VaultOfTest()
            let keychain = try Keychain.open(at: vault.path)
            defer { keychain.close() }
            keychain.user = ClosureUser.typing(VaultOfTest.passcode)
            try keychain.unlock()
            let context = try keychain.makeContext()
            try keychain.requirePasscode(in: context)
            var reusing = keychain.requester
            reusing.isReusing = true
            for (allowsReuse, flags) in [
                (true, AccessControlFlags.userPresence), (false, .userPresence), (true, .devicePasscode),
            ] {
                let control = try AccessControl(protection: .whenUnlocked, flags: flags)
                let name = "\(allowsReuse) \(flags.rawValue)"
                var new = NewItem.password(account: name, service: "s", control)
                new.allowsReuse = allowsReuse
                try keychain.add(new, secret: try SecureBytes("s"), in: context)
                let item = keychain.password(account: name, service: "s")
                #expect(try keychain.read(item, in: context, interaction: .fail) != nil)
                let reused = try? keychain.read(item, by: reusing, in: context, interaction: .fail)
                #expect((reused != nil) == allowsReuse, "\(name)")
            }
        }
    }
}
