import AccessPolicy
import DeviceModel
import Latchkey
import PolicyProver
import PolicyReports
import PolicyScenarios
import ScenarioFormat
import TestSupport
import Testing

/// Tests that every attack of the prover works on the real vault: each is saved as a scenario and played.
@Suite struct StoryFileTests {
    /// Every valid set of flags in the strictest class, and every class without flags.
    static let policies: [MatrixPolicy] = {
        var known: Set<MatrixPolicy> = []
        var policies: [MatrixPolicy] = []
        let words = AccessControlFlags.named.map(\.flag)
        for bits in 0..<(1 << words.count) {
            let flags = words.indices.reduce(into: AccessControlFlags()) { set, place in
                if bits >> place & 1 == 1 { set.insert(words[place]) }
            }
            guard let control = try? AccessControl(protection: .whenPasscodeSetThisDeviceOnly, flags: flags) else {
                continue
            }
            let policy = MatrixPolicy(control, isKey: control.guardsKeyUse)
            if known.insert(policy).inserted { policies.append(policy) }
        }
        policies += Accessibility.allCases.map { MatrixPolicy(AccessControl($0)) }
        return policies
    }()

    /// The prover searches the device of the file.
    @Test(arguments: [
        ("device: iPhoneWithFaceID\napps: { a: { declaresFaceIDUsage: false } }\n", false),
        ("device: iPhoneWithFaceID\n", true),
        ("device: { biometry: none, passcode: \"1\" }\n", false),
        ("device: { companion: ready }\n", true),
    ]) func theDeviceIsTheFiles(head: String, holds: Bool) async throws {
        let text =
            "name: x\n\(head)items: { token: { require: biometryAny } }\nclaims: [{ eventually-can: read, by: coerced-finger }]\n"
        let file = ScenarioFile(bytes: Array(text.utf8), of: "x.yaml")
        #expect(file.mistakes.map(\.description) == [])
        let (propositions, mistakes) = Proposition.all(of: file.scenarios)
        // Without a sensor or its usage text, the item cannot be stored.
        guard let proposition = propositions.first else {
            #expect(mistakes.count == 1 && !holds)
            return
        }
        let proof = await proposition.prove()
        #expect((proof.verdict.answer == .holds) == holds)
        #expect(Self.fault(of: proof) == nil)
    }

    /// Returns the fault of the scenario for `proof`; nil if it has no fault, or if there is no scenario.
    private static func fault(of proof: Proof) -> String? {
        guard let story = AttackFile(proof) else { return nil }
        let file = ScenarioFile(bytes: Array(story.text.utf8), of: "story.yaml")
        if !file.mistakes.isEmpty { return "\(file.mistakes.map(\.description))\n\(story.text)" }
        guard file.scenarios.count == 1 else { return "one story is one scenario" }
        let result = file.scenarios[0].run()
        if result.passed { return nil }
        return "\(result.complaint.map { "\($0.heading): \($0.text)" })\n\(story.text)"
    }

    private static func faults(_ propositions: [Proposition]) async -> (stories: Int, faults: [String]) {
        var stories = 0
        var faults: [String] = []
        for proposition in propositions {
            let proof = await proposition.prove()
            if proof.verdict.story != nil { stories += 1 }
            if let fault = fault(of: proof) { faults.append("\(proposition.claim): \(fault)") }
        }
        return (stories, faults)
    }

    /// Tests every policy with the profiles and aims that the day chooses, a quarter of all.
    @Test(arguments: 0..<8) func everyStoryOfAnAttackerIsSoOnTheVault(part: Int) async throws {
        var stories = 0
        for (number, policy) in Self.policies.enumerated() where number % 8 == part {
            var propositions: [Proposition] = []
            for profile in Profile.all {
                for aim in Aim.ofItems where aim.isOpen(toKey: policy.isKey) {
                    propositions.append(try Proposition(.never(aim, against: profile), about: policy, on: .usual))
                }
            }
            let found = await Self.faults(DaySample.of(propositions, oneIn: 4))
            stories += found.stories
            #expect(found.faults.first == nil, "\(policy.control): \(found.faults.count) of \(found.stories)")
        }
        #expect(stories > (Soak.isExhaustive ? 150 : 10))
    }

    /// Tests the other kinds of claims, of each policy on each device a third, which the day chooses.
    @Test(arguments: [
        "none", "userPresence", "biometryAny", "biometryCurrentSet", "devicePasscode", "companion",
        "biometryAny or devicePasscode", "biometryCurrentSet or companion", "biometryCurrentSet and devicePasscode",
        "applicationPassword", "biometryAny applicationPassword", "biometryCurrentSet privateKeyUsage",
        "userPresence privateKeyUsage",
    ]) func everyOtherStoryIsSoOnTheVault(flags: String) async throws {
        var stories = 0
        for protection in [Accessibility.whenPasscodeSetThisDeviceOnly, .whenUnlockedThisDeviceOnly] {
            let control = try AccessControl(protection: protection, flags: AccessControlFlags(written: flags))
            let policy = MatrixPolicy(control, isKey: control.guardsKeyUse)
            for preset in [DevicePreset.usual, .faceID, .mac] {
                let aim: Aim = policy.isKey ? .use : .read
                let request: Action = policy.isKey ? .sign : .readData
                var statements: [Claim.Statement] = [.goneAfterEnrollmentChange]
                for profile in Profile.all {
                    statements.append(.alwaysCan(aim, by: .owner, against: profile))
                    statements.append(.atMostPrompts(1, for: [request, request], by: profile))
                }
                let found = await Self.faults(
                    try DaySample.of(statements, oneIn: 3).map {
                        try Proposition($0, about: policy, on: preset, reuse: .minutes(1))
                    })
                stories += found.stories
                #expect(found.faults.first == nil, "\(control): \(found.faults.count) of \(found.stories)")
            }
        }
        #expect(stories > 0)
    }

    /// Tests an item that syncs: attacks are played on keychains of several devices that share an account.
    @Test(arguments: [Accessibility.whenUnlocked, .afterFirstUnlock], [true, false])
    func everyStoryInAnAccountIsSoOnTheVaults(protection: Accessibility, deletes: Bool) async throws {
        let policy = MatrixPolicy(AccessControl(protection), isSynchronizable: true)
        var statements: [Claim.Statement] = []
        for profile in Profile.all + Profile.ofAccounts {
            for aim in Aim.ofItems(inAccount: true) where aim.isOpen(toKey: false) {
                statements.append(.never(aim, against: profile))
            }
            // With the device itself the search of what the owner can do is the longest by far.
            for owner in Soak.isExhaustive ? [Profile.owner, .newPhone] : [.newPhone] {
                statements.append(.alwaysCan(.read, by: owner, against: profile))
            }
            statements.append(.endsWithRemoval(against: profile))
        }
        let found = await Self.faults(
            try DaySample.of(statements, oneIn: 16).map {
                try Proposition($0, about: policy, on: .faceID, assuming: Assumptions.Stated(deletes: deletes))
            })
        #expect(found.faults.isEmpty, "\(found.faults.joined(separator: "\n"))")
        #expect(found.stories > 0)
    }

    @Test func theShippedClaimsAreSoOnTheVault() async throws {
        let found = await Self.faults(try ShippedClaim.all.map { try Proposition($0) })
        #expect(found.faults.isEmpty, "\(found.faults.joined(separator: "\n"))")
        #expect(found.stories >= 2)
    }
}
