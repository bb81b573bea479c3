import AgentProtocol
import DeviceModel
import LoanRules
import TestSupport
import Testing

@testable import LoanProver

/// The agent and the model of its loans, step for step.
@Suite struct LoanScheduleTests {
    /// Under random schedules each use is answered alike, with a prompt or without, and each approval has the same uses and time left.
    @Test(arguments: PolicyPreset.all.map(\.name)) func theAgentLendsAsTheModelDoes(_ name: String) throws {
        let preset = try #require(PolicyPreset.all.first { $0.name == name })
        var policies = [preset.policy]
        // A policy with reuse that no preset has.
        if name == "current-set" {
            policies.append(ItemPolicy(preset.policy.protection, preset.policy.flags, allowsReuse: true))
        }
        for (number, policy) in policies.enumerated() {
            var random = SeededGenerator(seed: Soak.seed &+ UInt64(name.utf8.count * 2 + number))
            for _ in 0..<(Soak.steps ?? 400) / 100 {
                let lent = LentPolicy(try policy.control(), reuses: policy.allowsReuse)
                let uses = random.once(in: 3) ? nil : 2
                var model = try LoanWorld(lent, LeaseTerms(uses: uses, minutes: 2))
                let vault = try LoanOfTest(policy, uses: uses, minutes: 2)
                var story: [LoanMove] = []
                for _ in 0..<40 {
                    let isLocked = model.world.device.isLocked
                    let move = random.pick((model.moves + model.turns).filter { $0.isOfVault(whileLocked: isLocked) })
                    var next = model
                    let outcome = next.make(move)
                    // A prompt that is not approved silences the program, which the model leaves out. Its waits are those of a lease.
                    if case .approval = move, outcome == .refused { continue }
                    story.append(move)
                    let answer = vault.make(move)
                    model = next
                    switch move {
                    case .request, .approval: try #require(answer == outcome, "\(name): \(story)")
                    case .event, .end, .wait: break
                    }
                    let left = model.loans[0].lease.left(at: model.now, locks: model.locks)
                    let expected = LoanOfTest.Left(
                        uses: left?.uses, seconds: left.map { ($0.milliseconds + 999) / 1000 })
                    try #require(vault.left == expected, "\(name): \(story)")
                }
            }
        }
    }
}

extension LoanMove {
    /// Returns true if the owner of a vault can make the move. The sensor does not unlock this vault, and settings need it unlocked.
    fileprivate func isOfVault(whileLocked isLocked: Bool) -> Bool {
        switch self {
        case .event(.presented(_)): false
        case .event(.enrolled(_)), .event(.removed(_)), .event(.passcodeChanged(_)): !isLocked
        case .event, .request, .approval, .end, .wait: true
        }
    }
}
