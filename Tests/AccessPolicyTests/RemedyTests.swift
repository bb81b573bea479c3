import AccessPolicy
import TestSupport
import Testing

/// Checks that the remedy of every denial really overcomes it.
@Suite struct RemedyTests {
    @Test func doingWhatADenialNamesTurnsIt() async throws {
        let entries = try FlagCombinations().creatable
        let naive = try NaiveEvaluator()
        let bridge = try Bridge(naive)
        let actions = Dictionary(uniqueKeysWithValues: Action.allCases.map { ("\($0)", $0) })
        var turned: [Rule: Int] = [:]
        var stubborn: [String] = []
        for entry in entries {
            for accessibility in [Accessibility.whenUnlocked, .whenPasscodeSetThisDeviceOnly, .afterFirstUnlock] {
                let control = try entry.control(accessibility)
                let visit: Space.Visit = { facts, name in
                    guard let action = actions[name], facts.changedSetIsTold else { return }
                    let conditions = bridge.conditions(facts)
                    let request = bridge.request(control, action, facts, conditions)
                    guard let denial = decide(request, under: conditions).denial,
                        let after = remedied(facts, denial)
                    else { return }
                    let better = bridge.conditions(after)
                    let again = bridge.request(control, action, after, better)
                    turned[denial.rule, default: 0] += 1
                    if decide(again, under: better).denial?.rule == denial.rule, stubborn.count < 5 {
                        stubborn.append(
                            "\(control), \(name): still \(denial.rule) after \(denial.rule.remedy); \(facts)")
                    }
                }
                Space.calling(entry, ["readData", "add", "sign"], visit)
                Space.choosing(entry, ["readData", "update"], visit)
                Space.storing(entry, visit)
            }
        }
        print("remedies: \(turned.values.reduce(0, +)) denials by \(turned.count) rules turned")
        #expect(stubborn.isEmpty, "\(stubborn.joined(separator: "\n"))")
        #expect(turned.count >= 22)
    }

    /// Returns the facts after the remedy was followed; nil if the remedy is to make a different request.
    private func remedied(_ facts: Facts, _ denial: Denial) -> Facts? {
        var facts = facts
        switch denial.rule.remedy {
        case .authenticate:
            guard !denial.ways.isEmpty else { return nil }
            facts.fingerProof = .counts
            facts.companionProof = .counts
            facts.passcodeProof = .counts
            facts.passwordProof = .counts
            facts.passwordAtHand = true  // storing an item needs a password instead of evidence
        case .unlock:
            facts.lock = .unlocked
        case .enterPasscode:
            facts.lock = facts.lock == .noPasscode ? .noPasscode : .unlocked
            facts.passcodeRequired = false
            if facts.biometry == .lockedOut { facts.biometry = .ready }
        case .setPasscode: facts.lock = .unlocked
        case .enroll, .permitBiometry, .declareUsageText, .otherDevice: facts.biometry = .ready
        case .pairCompanion, .bringCompanion: facts.companion = .ready
        case .newContext: facts.invalidated = false
        case .allowInteraction: facts.interaction = .allowed
        case .entitle: facts.groups = .own
        case .wait, .erase: facts.passcode = .ready
        case .store, .replace:
            facts.set = .same
            facts.passcodeWasRemoved = false
            if facts.lock == .noPasscode { return nil }  // an item that needs a passcode cannot be stored without one
        // The remedies of syncing change the account.
        case .changePolicy, .clearTheWay, .repairAuthenticator, .nothing, .signIn, .joinCircle, .connect, .switchOnSync:
            return nil
        }
        return facts
    }

    @Test func aDelayedPasscodeSaysUntilWhen() {
        var conditions = Conditions(passcode: .delayed, passcodeDelayedUntil: .start + .minutes(5))
        conditions.biometry = .noHardware
        let decision = decide(Request(proving: .presence), under: conditions)
        #expect(decision.denial?.until == .start + .minutes(5))
        #expect(decision.denial?.rule.remedy == .wait)
    }
}
