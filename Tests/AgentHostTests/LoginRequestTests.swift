import AgentProtocol
import Foundation
import SecretVault
import SodiumKit
import Synchronization
import TestSupport
import Testing

extension AgentTests {
    /// The requests of the module for PAM, as any program of the user can send them.
    @Suite(.serialized) struct LoginRequestTests {
        private static let passcode = Array(VaultOfTest.passcode.utf8)
        private static let next = Array("another long one".utf8)
        private static let unlock = #"{"do":"unlock-at-login"}"#
        private static let follow = #"{"do":"follow-login-password"}"#

        private static func both(_ old: [UInt8], _ new: [UInt8]) -> [UInt8] {
            withUnsafeBytes(of: UInt32(old.count).bigEndian) { Array($0) } + old + new
        }

        private func ask(_ vault: VaultOfTest, _ head: String, _ secret: [UInt8] = []) throws -> String {
            try RawClient(vault.place.socket).ask(head, secret, [:]).head.text
        }

        private func status(_ vault: VaultOfTest) throws -> String { try ask(vault, #"{"do":"status"}"#) }

        private func vault(_ stack: PAMStack) throws -> VaultOfTest {
            try VaultOfTest(
                settings: VaultSettings([.pamService: .text(stack.serviceFile)]))
        }

        @Test func whatIsNoPasswordIsRefused() throws {
            let vault = try VaultOfTest()
            let agent = try RunningAgent(vault)
            let long = [UInt8](repeating: 65, count: 100_000)
            var wrong: [(String, [UInt8])] = [(Self.unlock, []), (Self.unlock, long)]
            for secret in [
                [], [0], [0, 0, 0, 1], [0, 0, 0, 9, 65], [255, 255, 255, 255, 65, 65], [0, 0, 0, 0, 65, 65, 65, 65],
                [0, 0, 0, 1, 65], Self.both(Self.passcode, long),
            ] {
                wrong.append((Self.follow, secret))
            }
            for (head, secret) in wrong {
                #expect(try ask(vault, head, secret).contains(#""kind":"request""#), "\(head) \(secret.count)")
            }
            withExtendedLifetime(agent) {}
        }

        /// The passcode of this vault is no login password, so no login can use up its attempts.
        @Test func aVaultWithoutPAMIgnoresThem() throws {
            let vault = try VaultOfTest()
            let agent = try RunningAgent(vault)
            for number in 0..<12 {
                #expect(try ask(vault, Self.unlock, Array("wrong \(number)".utf8)).contains(#""taken":false"#))
            }
            #expect(try ask(vault, Self.unlock, Self.passcode).contains(#""taken":false"#))
            #expect(try ask(vault, Self.follow, Self.both(Self.passcode, Self.next)).contains(#""taken":false"#))
            let status = try status(vault)
            #expect(status.contains(#""failed-attempts":0"#) && status.contains("before-first-unlock"), "\(status)")
            withExtendedLifetime(agent) {}
        }

        /// PAM hangs, so that the order of what follows is known.
        @Test(.needsRoot) func theAgentAnswersAtOnceAndALockThatFollowsCounts() throws {
            let stack = try PAMStack(passcode: VaultOfTest.passcode)
            let vault = try vault(stack)
            let agent = try RunningAgent(vault)
            try stack.hang()
            #expect(try ask(vault, Self.unlock, Self.passcode).contains(#""taken":true"#))
            #expect(try ask(vault, #"{"do":"lock"}"#).contains("done"))
            // The first one may be under way; four more wait, and then there is no room.
            var refused = 0
            for _ in 0..<6 where try ask(vault, Self.unlock, Self.passcode).contains(#""kind":"agent""#) {
                refused += 1
            }
            #expect((1...2).contains(refused))
            #expect(try ask(vault, #"{"do":"lock"}"#).contains("done"))
            try stack.letGo()
            // A later one is checked after all of these.
            #expect(
                try Patience.wait(everyMilliseconds: 20) {
                    try ask(vault, Self.unlock, Array("wrong one".utf8)).contains(#""taken":true"#)
                })
            #expect(
                try Patience.wait(everyMilliseconds: 20) { try status(vault).contains(#""failed-attempts":1"#) })
            #expect(try !status(vault).contains(#""state":"unlocked""#), "each was followed by a lock")
            #expect(try ask(vault, Self.unlock, Self.passcode).contains(#""taken":true"#))
            #expect(
                try Patience.wait(everyMilliseconds: 20) { try status(vault).contains(#""state":"unlocked""#) })
            #expect(try ask(vault, Self.unlock, Self.passcode).contains(#""taken":false"#), "it is unlocked")
            withExtendedLifetime(agent) {}
        }

        @Test(.needsRoot) func aPasswordThatPAMDoesNotKnowReplacesNothing() throws {
            let stack = try PAMStack(passcode: VaultOfTest.passcode)
            let vault = try vault(stack)
            let agent = try RunningAgent(vault)
            #expect(try ask(vault, Self.follow, Self.both(Self.passcode, Self.next)).contains(#""taken":true"#))
            #expect(
                try Patience.wait(everyMilliseconds: 20) { try status(vault).contains(#""failed-attempts":1"#) })
            #expect(try !status(vault).contains("former-opens-for"))
            // PAM knows it now, but the old one is wrong.
            try stack.setPasscode(Self.next)
            #expect(
                try ask(vault, Self.follow, Self.both(Array("wrong one".utf8), Self.next)).contains(#""taken":true"#))
            // The old one is right. This also waits for the one before.
            #expect(try ask(vault, Self.follow, Self.both(Self.passcode, Self.next)).contains(#""taken":true"#))
            #expect(try Patience.wait(everyMilliseconds: 20) { try status(vault).contains("former-opens-for") })
            // PAM goes back to the old one, and so does the vault.
            try stack.setPasscode(Self.passcode)
            #expect(try ask(vault, Self.unlock, Self.passcode).contains(#""taken":true"#))
            #expect(try Patience.wait(everyMilliseconds: 20) { try !status(vault).contains("former-opens-for") })
            #expect(try ask(vault, #"{"do":"lock"}"#).contains("done"))
            #expect(try ask(vault, Self.unlock, Self.passcode).contains(#""taken":true"#))
            #expect(
                try Patience.wait(everyMilliseconds: 20) { try status(vault).contains(#""state":"unlocked""#) })
            withExtendedLifetime(agent) {}
        }

        /// The change of the passcode unlocks the vault, so a lock ends it as well.
        @Test(.needsRoot) func aLockThatFollowsAChangedPasswordCounts() throws {
            let stack = try PAMStack(passcode: String(decoding: Self.next, as: UTF8.self))
            let vault = try vault(stack)
            let agent = try RunningAgent(vault)
            try stack.hang()
            #expect(try ask(vault, Self.follow, Self.both(Self.passcode, Self.next)).contains(#""taken":true"#))
            #expect(try ask(vault, #"{"do":"lock"}"#).contains("done"))
            try stack.letGo()
            // A later one is checked after this.
            #expect(try ask(vault, Self.unlock, Array("wrong one".utf8)).contains(#""taken":true"#))
            #expect(
                try Patience.wait(everyMilliseconds: 20) { try status(vault).contains(#""failed-attempts":1"#) })
            let locked = try status(vault)
            #expect(!locked.contains(#""state":"unlocked""#) && !locked.contains("former-opens-for"), "\(locked)")
            // Without a lock it works.
            #expect(try ask(vault, Self.follow, Self.both(Self.passcode, Self.next)).contains(#""taken":true"#))
            #expect(
                try Patience.wait(everyMilliseconds: 20) { try status(vault).contains(#""state":"unlocked""#) })
            #expect(try status(vault).contains("former-opens-for"))
            withExtendedLifetime(agent) {}
        }

        /// The agent ends the former password by itself: until something looks, copies of the vault would open with it.
        @Test func theFormerPasswordEndsInTimeThoughNoRequestComes() throws {
            let vault = try VaultOfTest()
            let start = try String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8).prefix(36)
            var time = timespec()
            clock_gettime(CLOCK_BOOTTIME, &time)
            let now = Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
            let uptime = Mutex(now - 7 * 86_400_000 + 6_000)
            let clock = VaultClock(boot: String(start), uptime: { uptime.withLock { $0 } }, wall: { now })
            let opened = try Vault.open(at: vault.path, clock: clock)
            _ = try opened.changePasscode(
                from: .of(Self.passcode), to: .of(Self.next), at: nil, keepingFormer: true
            ) { _ in .accepted }
            uptime.withLock { $0 = now }
            try opened.enter(passcode: .of(Array("wrong one".utf8)))  // writes the time
            #expect(try opened.formerPasscodeRemains == 6_000)
            opened.close()
            let agent = try RunningAgent(vault)
            let over = "former passcode, over"
            #expect(
                try Patience.wait(everyMilliseconds: 200) {
                    let client = try RawClient(vault.place.socket)
                    client.send(#"{"do":"log"}"#)
                    while true {
                        let text = try client.receive().head.text
                        if text.contains(over) { return true }
                        if text.contains(#""done""#) { return false }
                    }
                })
            withExtendedLifetime(agent) {}
        }
    }
}
