import AccessPolicy
import AgentProtocol
import Foundation
import Latchkey
import PlainText
import SecretVault
import SodiumKit
import TestSupport
import Testing

extension AgentTests {
    /// A program of the user changes the settings of a vault with the keys of its device file, while no agent runs.
    @Suite(.serialized) struct ForgedVaultTests {
        private func forge(_ vault: VaultOfTest, _ change: (inout ForgedSettings) -> Void) throws {
            try KeybagProbe(deviceFile: vault.path + "/device").forge(databaseAt: vault.path + "/vault.db", change)
        }

        /// Changes one member of the sealed settings.
        private func forge(_ vault: VaultOfTest, _ name: String, _ value: JSON) throws {
            try forge(vault) { forged in
                guard var head = try? WireObject(forged.settings) else { return }
                head[name] = value
                forged.settings = Array(head.text.utf8)
            }
        }

        private func settings(_ vault: VaultOfTest) throws -> String {
            try RawClient(vault.place.socket).ask(#"{"do":"settings"}"#).head.text
        }

        private func unlocking(_ vault: VaultOfTest, _ passcode: String = VaultOfTest.passcode) throws
            -> RawClient.Frame
        {
            try RawClient(vault.place.socket).ask(#"{"do":"unlock"}"#, [], ["passcode": passcode])
        }

        private func hasLoaded(_ module: String, _ agent: RunningAgent) throws -> Bool {
            try String(contentsOfFile: "/proc/\(agent.process)/maps", encoding: .utf8).contains(module)
        }

        /// Unlocks the vault once in each of two agents: the first puts back what the owner chose, and the second opens.
        private func expectAlarm(_ vault: VaultOfTest, naming name: String, _ before: String) throws {
            do {
                let agent = try RunningAgent(vault)
                let strict = try settings(vault)
                #expect(strict.contains(#""unchecked":true"#))
                let reply = try unlocking(vault)
                #expect(reply.kind == "damaged")
                let text = reply.head.text
                #expect(text.contains("without its passcode") && text.contains(name) && text.contains("log"), "\(text)")
                #expect(Patience.wait(everyMilliseconds: 20) { !agent.isAlive }, "the agent ends")
            }
            let agent = try RunningAgent(vault)
            defer { withExtendedLifetime(agent) {} }
            #expect(try unlocking(vault).done != nil)
            #expect(try settings(vault) == before)
            let client = try RawClient(vault.place.socket)
            #expect(try client.ask(#"{"do":"status"}"#).head.text.contains("settings-put-back"))
            let log = try RawClient(vault.place.socket).ask(#"{"do":"log"}"#)
            #expect(log.head.text.contains("settings, changed without the passcode"))
        }

        /// Returns the settings as the owner chose them.
        private func chosen(_ vault: VaultOfTest) throws -> String {
            let agent = try RunningAgent(vault)
            defer { withExtendedLifetime(agent) {} }
            _ = try unlocking(vault)
            return try settings(vault)
        }

        private static let forgeries: [(name: String, value: JSON)] = [
            ("lock-after", .null), ("reuse", .number("43200")), ("history", .number("1")),
            ("policy", .object(["accessible": .string("always"), "require": .array([])])),
            (
                "secret-service",
                .object(["enabled": .bool(false), "rules": .string("app=* -> once-per-session")])
            ),
            ("sensor", .array([.string("/bin/false")])), ("clipboard-time", .number("0")),
            ("lock-at-logout", .bool(true)), ("notify", .bool(false)), ("pinentry", .string("none")),
        ]

        @Test(arguments: forgeries.indices) func aForgedSettingNeverTakesEffect(_ place: Int) throws {
            let (name, value) = Self.forgeries[place]
            let vault = try VaultOfTest(settings: VaultSettings([.lockAfter: 300]))
            let before = try chosen(vault)
            try forge(vault, name, value)
            try expectAlarm(vault, naming: name, before)
        }

        @Test func settingsThatAreNoneAreAnAlarmToo() throws {
            let vault = try VaultOfTest(settings: VaultSettings([.lockAfter: 300]))
            let before = try chosen(vault)
            try forge(vault) { $0.settings = [UInt8](repeating: 123, count: 9) }
            try expectAlarm(vault, naming: "lock-after", before)
        }

        @Test func aVaultWithAFakeSensorGoesOnSayingSo() throws {
            let vault = try VaultOfTest(fakeSensor: true, settings: VaultSettings([.lockAfter: 300]))
            let before = try chosen(vault)
            try forge(vault) { $0.hasFakeSensor = false }
            try expectAlarm(vault, naming: "fake sensor", before)
            let agent = try RunningAgent(vault)
            defer { withExtendedLifetime(agent) {} }
            #expect(
                try RawClient(vault.place.socket).ask(#"{"do":"status"}"#).done?["sensor-is-fake"] == .bool(true))
        }

        /// The agent never runs a command, and never loads a module, that its owner did not choose.
        @Test func nothingThatAForgerNamesIsRun() throws {
            let vault = try VaultOfTest(fakeSensor: true, settings: VaultSettings([.lockAfter: 300]))
            let before = try chosen(vault)
            let (script, trace) = (vault.folder.path("sensor"), vault.folder.path("trace"))
            try TestProgram.write("#!/bin/sh\ntouch \(trace)\n", to: script)
            let stack = try PAMStack(passcode: VaultOfTest.passcode)
            try forge(vault) { forged in
                forged.hasFakeSensor = false
                guard var head = try? WireObject(forged.settings) else { return }
                head["sensor"] = .array([.string(script)])
                head["pam"] = .object(["service": .string(stack.service), "folder": .string(stack.folder)])
                forged.settings = Array(head.text.utf8)
            }
            do {
                let agent = try RunningAgent(vault)
                _ = try RawClient(vault.place.socket).ask(#"{"do":"status"}"#)
                #expect(try unlocking(vault, "wrong").kind == "wrong")
                #expect(try !hasLoaded(stack.module, agent))
                #expect(
                    try RawClient(vault.place.socket).ask(#"{"do":"status"}"#).done?["failed-attempts"] == .number("1"))
            }
            try expectAlarm(vault, naming: "pam", before)
            #expect(!FileManager.default.fileExists(atPath: trace))
        }

        /// The forger puts back the genuine settings before the passcode is typed, and hopes that the agent goes on with the
        /// others.
        @Test func whatTheAgentReadIsWhatIsChecked() throws {
            let vault = try VaultOfTest(settings: VaultSettings([.lockAfter: 300]))
            let stack = try PAMStack(passcode: "another one")
            let genuine = try KeybagProbe(deviceFile: vault.path + "/device").forge(
                databaseAt: vault.path + "/vault.db"
            ) { _ in }
            try forge(
                vault, "pam", .object(["service": .string(stack.service), "folder": .string(stack.folder)]))
            let agent = try RunningAgent(vault)
            try forge(vault) { $0 = genuine }
            // With another generation, the agent reads the keybag again.
            let other = try Vault.open(at: vault.path)
            _ = try other.enter(passcode: SecureBytes("wrong"))
            other.close()
            // The service knows another passcode, and is not asked. The agent may end before it answers.
            let answer = try unlocking(vault)
            #expect(answer.done != nil || answer.kind == "agent", "\(answer.head.text)")
            #expect(Patience.wait(everyMilliseconds: 20) { !agent.isAlive }, "the agent ends")
        }

        /// An agent that has seen another root may have seen another program's vault.
        @Test func anAgentEndsOnceTheRootIsAnother() throws {
            let vault = try VaultOfTest(settings: VaultSettings([.lockAfter: 300]))
            let agent = try RunningAgent(vault)
            #expect(try unlocking(vault).done != nil)
            let other = try Vault.open(at: vault.path)
            _ = try other.changePasscode(from: SecureBytes(VaultOfTest.passcode), to: SecureBytes("another one"))
            other.close()
            #expect(Patience.wait(everyMilliseconds: 20) { !agent.isAlive }, "the agent ends")
            let next = try RunningAgent(vault)
            defer { withExtendedLifetime(next) {} }
            let log = try RawClient(vault.place.socket).ask(#"{"do":"log"}"#)
            #expect(log.head.text.contains("root, wrapped by another program"))
        }

        /// A service that the owner did choose is asked, once the keys have shown that.
        @Test(.needsRoot) func aModuleIsLoadedOnlyAfterTheRightPasscode() throws {
            let stack = try PAMStack(passcode: VaultOfTest.passcode)
            let vault = try VaultOfTest(settings: VaultSettings([.pamService: .text(stack.serviceFile)]))
            let agent = try RunningAgent(vault)
            #expect(try unlocking(vault, "wrong").kind == "wrong")
            #expect(try !hasLoaded(stack.module, agent))
            // PAM can only refuse: it is asked about the right passcode, and says no.
            try stack.setPasscode("another one")
            #expect(try unlocking(vault).done == nil)
            #expect(
                try RawClient(vault.place.socket).ask(#"{"do":"status"}"#).done?["state"]
                    == .string("before-first-unlock"))
            try stack.setPasscode(VaultOfTest.passcode)
            #expect(try unlocking(vault).done != nil)
        }

        /// A module of root's alone runs in the agent, whoever has chosen the setting: another program of the user can put a
        /// whole vault of its own into place, and type its passcode.
        @Test(.needsOrdinaryUser) func aModuleOfTheUserIsNeverLoaded() throws {
            let stack = try PAMStack(passcode: VaultOfTest.passcode)
            let vault = try VaultOfTest(settings: VaultSettings([.pamService: .text(stack.serviceFile)]))
            let agent = try RunningAgent(vault)
            defer { withExtendedLifetime(agent) {} }
            for _ in 0..<2 {
                let reply = try unlocking(vault)
                #expect(
                    reply.kind == "unavailable" && reply.head.text.contains("others than root"), "\(reply.head.text)")
            }
        }

        /// Latchkey's own service in the vault is a text of the agent, whatever the file in the vault says.
        @Test func theServiceInTheVaultIsNotReadFromItsFile() throws {
            let stack = try PAMStack(passcode: VaultOfTest.passcode)
            let vault = try VaultOfTest(
                settings: VaultSettings([.pamService: "/prototype/pam.d/latchkey"]))
            let folder = vault.path + "/pam.d"
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
            let line = "auth required \(stack.module) [passdb=\(stack.passcodes)]\n"
            try line.write(toFile: folder + "/latchkey", atomically: true, encoding: .utf8)
            #expect(chmod(folder + "/latchkey", 0o600) == 0)
            let agent = try RunningAgent(vault)
            _ = try unlocking(vault, "wrong")
            _ = try unlocking(vault)
            #expect(try !hasLoaded(stack.module, agent))
        }
    }
}
