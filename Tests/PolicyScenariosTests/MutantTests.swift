import AccessPolicy
import PolicyReports
import PolicyScenarios
import ScenarioFormat
import Testing

@Suite struct MutantTests {
    /// Every access policy, each once.
    private static let controls: Set<AccessControl> = {
        var controls: Set<AccessControl> = []
        for protection in Accessibility.allCases {
            controls.insert(AccessControl(protection))
            for bits in 0..<(1 << AccessControlFlags.named.count) {
                var flags = AccessControlFlags()
                for (place, known) in AccessControlFlags.named.enumerated() where bits & (1 << place) != 0 {
                    flags.insert(known.flag)
                }
                if let control = try? AccessControl(protection: protection, flags: flags) { controls.insert(control) }
            }
        }
        return controls
    }()

    @Test func aMutantIsNeverThePolicyItselfAndNeverTwice() {
        for control in Self.controls {
            let mutants = Mutant.all(of: control).map(\.control)
            #expect(!mutants.contains(control))
            #expect(Set(mutants).count == mutants.count)
            #expect(mutants.count >= 6, "the class at least can be another")
        }
    }

    /// Mutation is symmetric: every change that weakens a policy has one that makes it strong again.
    @Test func whatIsOneStepAwayIsSoInBothDirections() {
        let mutants = Dictionary(
            uniqueKeysWithValues: Self.controls.map { ($0, Set(Mutant.all(of: $0).map(\.control))) })
        var oneWay = 0
        for (control, others) in mutants {
            // Removing the last flag removes the access control too, so no mutant leads back to one without flags.
            if control.hasFlags && control.flags.isEmpty { continue }
            for other in others where mutants[other]?.contains(control) != true { oneWay += 1 }
        }
        #expect(oneWay == 0)
    }

    @Test func everyOtherClassIsAMutant() {
        for control in Self.controls {
            let classes = Mutant.all(of: control).filter { $0.words.contains("instead of \(control.protection.name)") }
            #expect(classes.count == Accessibility.allCases.count - 1)
        }
    }

    @Test func mutantsOfCurrentSetAreTheseAndNoOthers() throws {
        let control = try AccessControl(protection: .whenUnlocked, flags: .biometryCurrentSet)
        let words = Mutant.all(of: control).map(\.words).filter { !$0.contains("instead of whenUnlocked") }
        #expect(
            words == [
                "no longer demands the current set's biometry",
                "asks for presence instead of the current set's biometry",
                "asks for any enrolled biometry instead of the current set's biometry",
                "asks for the passcode instead of the current set's biometry",
                "asks for the companion instead of the current set's biometry",
                "also accepts the passcode", "also demands the passcode", "also accepts the companion",
                "also demands the companion", "also demands the application password",
                "also demands to be used as a private key",
            ])
    }

    @Test func aSuiteThatLooksEverywhereNoticesAllOfTheFlags() {
        let text = """
            name: only the owner's own finger, and only the set of then
            people:
              fingerOnly: { fingers: [right index] }
              codeOnly: { passcode: "1234" }
              watchOnly: { wearsCompanion: true }
            device: { companion: ready }
            items: { token: { require: biometryCurrentSet } }
            steps:
              - { read: token, by: fingerOnly, expect: { granted: biometry, prompts: [biometry] } }
              - { read: token, by: codeOnly, expect: denied }
              - { read: token, by: watchOnly, expect: denied }
              - { enroll: left thumb }
              - { read: token, expect: biometry.current-set.changed }
            """
        let run = MutationRun(ScenarioFile(bytes: Array(text.utf8), of: "m.yaml").scenarios)
        let results = run.run()
        #expect(run.policies.map(\.item) == ["token"])
        let report = MutationReport(results, of: run)
        let unnoticed = report.unnoticed.map(\.mutant.words)
        #expect(unnoticed.allSatisfy { $0.contains("instead of whenUnlocked") }, "\(unnoticed)")
        #expect(report.noticed >= 9)
    }
}

@Suite struct EquivalentMutantTests {
    private static func report(_ text: String) -> MutationReport {
        let run = MutationRun(ScenarioFile(bytes: Array(text.utf8), of: "m.yaml").scenarios)
        return MutationReport(run.run(), of: run)
    }

    private static func scenario(_ steps: String) -> String {
        "name: a passcode comes later\ndevice: { passcode: none }\nitems: { token: {} }\nsteps:\n\(steps)"
    }

    private static let weaker = "is afterFirstUnlock instead of whenUnlocked"

    /// Without a passcode no device ever locks, so the steps set one.
    @Test func aPasscodeThatComesLaterTellsTheClassesApart() {
        let looked = Self.report(
            Self.scenario(
                "  - setPasscode: \"1234\"\n  - lock\n  - wait: 1m\n  - { read: token, expect: class.locked }"))
        #expect(!looked.unnoticed.map(\.mutant.words).contains(Self.weaker))
        #expect(!looked.text(colored: false, namesAll: true).contains("left out: `token` \(Self.weaker)"))
        #expect(looked.noticed > 0)

        let notLooked = Self.report(Self.scenario("  - setPasscode: \"1234\"\n  - lock"))
        #expect(notLooked.unnoticed.map(\.mutant.words).contains(Self.weaker))
    }

    @Test func withoutAPasscodeTheClassesAreTheSame() {
        let report = Self.report(Self.scenario("  - lock: \n    expect: refused\n  - read: token"))
        #expect(!report.unnoticed.map(\.mutant.words).contains(Self.weaker))
        #expect(report.text(colored: false, namesAll: true).contains("left out: `token` \(Self.weaker)"))
    }
}

@Suite struct UnfitMutantTests {
    /// A scenario that expects nothing notices nothing, not even that an item cannot be stored.
    @Test func whatCannotBeStoredIsNotNoticed() {
        let text = "name: nothing is expected\nitems: { token: { require: biometryAny } }\nsteps: [lock]"
        let run = MutationRun(ScenarioFile(bytes: Array(text.utf8), of: "m.yaml").scenarios)
        let report = MutationReport(run.run(), of: run)
        #expect(report.noticed == 0)
        #expect(report.percent == 0)
        #expect(report.unfit > 0)
        #expect(report.text(colored: false).contains("\(report.unfit) that cannot be stored"))
    }
}

@Suite struct FileMutantTests {
    private static func report(_ text: String) throws -> MutationReport {
        let file = ScenarioFile(bytes: Array(text.utf8), of: "m.yaml")
        #expect(file.mistakes.map(\.description) == [])
        let run = MutationRun(file.scenarios)
        return MutationReport(run.run(), of: run)
    }

    @Test func aMutantDiffersInTheClassOrTheExclusion() {
        for protection in FileProtection.allCases {
            for isExcluded in [false, true] {
                let choice = FileChoice(protection, isExcludedFromBackup: isExcluded)
                let mutants = FileMutant.all(of: choice)
                #expect(mutants.count == FileProtection.allCases.count)
                #expect(Set(mutants.map(\.choice)).count == mutants.count)
                #expect(!mutants.map(\.choice).contains(choice))
                for mutant in mutants {
                    let isOtherClass = mutant.choice.protection != protection
                    let isOtherExclusion = mutant.choice.isExcludedFromBackup != isExcluded
                    #expect(isOtherClass != isOtherExclusion)
                }
            }
        }
    }

    /// Opening, creating and restoring tell a class and an exclusion from every other.
    @Test func aScenarioThatLooksEverywhereNoticesAll() throws {
        let report = try Self.report(
            """
            name: the upload goes on and is in no backup
            files: { upload: { protection: completeUnlessOpen, excludedFromBackup: true } }
            steps:
              - backup: unencrypted
              - lock
              - wait: 10s
              - { open: upload, expect: file.closed-until-unlock }
              - { write: upload, expect: granted }
              - { unlock: , by: owner }
              - { restore: thisDevice, expect: { files: { upload: missing } } }
            """)
        #expect(report.unnoticed.map(\.mutant.words) == [])
        #expect(report.noticed == FileProtection.allCases.count)
        #expect(report.text(colored: false).contains("4 mutants of 1 policy: 4 noticed"))
    }

    @Test func aScenarioThatLooksNowhereNoticesNothing() throws {
        let report = try Self.report(
            "name: x\nfiles: { journal: complete, note: { stored: false, protection: none } }\nsteps: [lock]")
        let words = report.unnoticed.map { "\($0.subject.name) \($0.mutant.words)" }
        #expect(words.contains("journal is none instead of complete"))
        #expect(words.contains("journal is not in backups"))
        // Only a file that exists at the beginning can begin excluded.
        #expect(!words.contains("note is not in backups"))
        #expect(report.text(colored: false).contains("`journal` is complete  (m.yaml:2:10)"))
        #expect(report.json.contains("\"file\": \"journal\", \"policy\": \"complete\""))
    }

    @Test func withoutAPasscodeTheClassesAreTheSame() throws {
        let report = try Self.report(
            "name: x\ndevice: { passcode: none }\nfiles: { journal: complete }\nsteps: [{ open: journal }]")
        #expect(report.unnoticed.map(\.mutant.words) == ["is not in backups"])
        #expect(report.equivalent == FileProtection.allCases.count - 1)
    }
}
