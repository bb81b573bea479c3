import Foundation
import Latchkey
import TestSupport
import Testing

/// Law 6 with prompts: after any steps and with any user, a World and a Keychain give the same answers and the same
/// prompts, and return what was stored or nothing.
///
/// `LATCHKEY_SOAK_STEPS` sets the number of steps if a hundred thousand are not enough.
@Suite struct ModelIsKeychainTests {
    static let steps = Soak.steps ?? 100_000
    static let length = 100
    static let shards = 2

    @Test(arguments: 0..<shards) func aWorldAndAKeychainAnswerAlike(_ shard: Int) throws {
        var done = 0
        var tally = Tally()
        let sequences = max(Self.steps / Self.length, Self.shards)
        for sequence in stride(from: shard, to: sequences, by: Self.shards) {
            var random = SeededGenerator(seed: UInt64(sequence))
            var twins = try KeychainTwins(&random)
            for _ in 0..<Self.length {
                let step = twins.step(&random)
                if let difference = try twins.perform(step, &tally) {
                    let history = twins.history.suffix(12).joined(separator: "\n")
                    Issue.record("seed \(sequence), \(twins.settings), after\n\(history)\n\(difference)")
                    return
                }
                done += 1
                if done.isMultiple(of: 500_000) {
                    print("model = keychain, part \(shard): \(done) steps, none differs")
                }
            }
            if let damage = try twins.keychain.audit().damage {
                Issue.record("seed \(sequence): the audit trail is damaged at \(damage)")
                return
            }
        }
        print("model = keychain, part \(shard): \(done) steps, none differs; \(tally)")
        // The test proves nothing unless the steps achieve something.
        #expect(tally.granted > done / 10)
        #expect(tally.denied > done / 10)
        #expect(tally.prompted > done / 20)
        #expect(tally.grantedAfterPrompts > done / 40)
        #expect(tally.secretsRead > done / 50)
        #expect(tally.events > done / 6)
        #expect(tally.missing.isEmpty, "rules that denied nothing")
    }

    /// The results of the steps.
    struct Tally: CustomStringConvertible {
        var granted = 0
        var denied = 0
        /// The number of calls with prompts, and of those that were granted.
        var prompted = 0
        var grantedAfterPrompts = 0
        /// The number of reads that returned bytes.
        var secretsRead = 0
        /// The number of events that were not refused.
        var events = 0
        /// The rules that denied a request.
        var rules: [String: Int] = [:]

        var description: String {
            "\(granted) granted, \(denied) denied by \(rules.count) rules \(rules.sorted { $0.value > $1.value }.map { "\($0.key) \($0.value)" }), \(prompted) asked somebody, "
                + "\(grantedAfterPrompts) of them granted, \(secretsRead) secrets read, \(events) events happened"
        }

        /// The rules that fired without denying.
        var missing: Set<String> { Self.expected.subtracting(rules.keys) }

        /// The rules that a worthwhile run of steps has to reach.
        static let expected: Set<String> = [
            "class.locked", "class.before-first-unlock", "class.destroyed", "device.locked",
            "biometry.current-set.changed",
            "biometry.locked-out", "biometry.not-enrolled", "biometry.no-hardware", "biometry.not-permitted",
            "companion.not-near", "context.invalidated", "group.hidden", "interaction.not-allowed",
            "interaction.skipped",
            "item.duplicate", "item.not-found", "passcode.delayed", "passcode.not-set",
            "sheet.cancelled",
            "sheet.failed",
            "sheet.fallback", "application-password.wrong",
        ]
    }
}
