import AccessPolicy
import DeviceModel
import PolicyProver
import Testing

/// The policies that make claims true and ask the least of the owner.
@Suite struct SuggestionTests {
    @Test func whatHoldsAgainstTheThiefAsksForTheSetAWatchOrAPassword() async {
        let found = await Suggestion(
            for: [.never(.read, against: .passcodeThief), .eventuallyCan(.read, by: .owner)], isKey: false, tasks: 2)
        #expect(found.policies == 280 && found.satisfying == [203, 280])
        #expect(found.clash.isEmpty && !found.isUndecided)
        #expect(
            found.candidates.map { "\($0.control)" } == [
                "whenUnlockedThisDeviceOnly, biometryCurrentSet or companion",
                "whenUnlockedThisDeviceOnly, applicationPassword", "whenUnlockedThisDeviceOnly, companion",
            ])
    }

    @Test func whatContradictsItselfIsShownAsAPair() async {
        let claims: [Claim.Statement] = [
            .eventuallyCan(.destroy, by: .borrower), .eventuallyCan(.read, by: .borrower),
            .never(.read, against: .borrower),
        ]
        let found = await Suggestion(for: claims, isKey: false)
        #expect(found.candidates.isEmpty && found.clash == [1, 2])
        // Every attacker may delete.
        let alone = await Suggestion(
            for: [.never(.read, against: .borrower), .never(.destroy, against: .borrower)], isKey: false)
        #expect(alone.candidates.isEmpty && alone.clash == [1] && alone.satisfying[1] == 0)
    }

    /// Returns the synchronous suggestion. Swift chooses that initializer only in a function that cannot await.
    private static func found(_ claims: [Claim.Statement], _ progress: (Int) -> Void) -> Suggestion {
        Suggestion(for: claims, isKey: false, progress: progress)
    }

    @Test func withoutTasksItFindsTheSame() async {
        let claims: [Claim.Statement] = [.never(.read, against: .borrower), .goneAfterEnrollmentChange]
        let together = await Suggestion(for: claims, isKey: false, tasks: 3)
        var done: [Int] = []
        let alone = Self.found(claims) { done.append($0) }
        #expect(alone.candidates == together.candidates && !alone.candidates.isEmpty)
        #expect(alone.satisfying == together.satisfying && alone.situations == together.situations)
        #expect(done == Array(1...280))
    }

    @Test(arguments: [false, true]) func eachPolicyIsJudgedAsByItself(_ isKey: Bool) async throws {
        let aim: Aim = isKey ? .use : .read
        let claims: [Claim.Statement] = [
            .never(aim, against: .borrower), .eventuallyCan(aim, by: .injuredOwner), .goneAfterEnrollmentChange,
        ]
        let found = await Suggestion(for: claims, isKey: isKey, tasks: 2)
        var counts = [0, 0, 0]
        var best: [Burden] = []
        for control in PolicySpace.policies(forKey: isKey) {
            let scene = try Scene(storing: [Item(control, isKey: isKey)])
            var holdsAll = true
            for (place, claim) in claims.enumerated() {
                let holds = await Prover(scene).prove(Claim(claim)).answer == .holds
                counts[place] += holds ? 1 : 0
                holdsAll = holdsAll && holds
            }
            if holdsAll { best.append(Burden(of: 0, in: scene)) }
        }
        #expect(found.satisfying == counts)
        // No policy that makes the claims true undercuts a candidate, and each asks at least as much as some candidate.
        for candidate in found.candidates { #expect(!best.contains { $0.isLess(than: candidate.burden) }) }
        for burden in best { #expect(found.candidates.contains { $0.burden.isNoMore(than: burden) }) }
        #expect(found.candidates.isEmpty == best.isEmpty)
    }

    @Test func aBurdenIsInWhatCircumstancesTheOwnerDoesWithout() throws {
        func burden(_ flags: AccessControlFlags, _ protection: Accessibility = .whenUnlocked) throws -> Burden {
            let control =
                flags.isEmpty ? AccessControl(protection) : try AccessControl(protection: protection, flags: flags)
            return Burden(of: 0, in: try Scene(storing: [Item(control)]))
        }
        #expect(try burden([]).failures == [.locked, .restarted])
        #expect(try burden([], .afterFirstUnlock).failures == [.restarted])
        #expect(try burden([], .always).failures.isEmpty)
        #expect(try burden([], .whenPasscodeSetThisDeviceOnly).failures.contains(.passcodeRemoved))
        #expect(try burden(.biometryCurrentSet).failures.contains(.enrolled))
        #expect(try !burden(.biometryAny).failures.contains(.enrolled))
        #expect(try burden(.biometryAny).failures.contains(.unreadable))
        #expect(try burden([.biometryAny, .devicePasscode]).prompts(.atHand) == 2)
        #expect(try burden(.userPresence).isLess(than: burden(.biometryAny)))
        #expect(try burden(.biometryAny).isLess(than: burden(.biometryCurrentSet)))
        #expect(try !burden(.devicePasscode).isNoMore(than: burden(.biometryAny)))
    }
}
