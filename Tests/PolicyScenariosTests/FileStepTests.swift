import AccessPolicy
import PolicyScenarios
import ScenarioFormat
import TestSupport
import Testing

/// Steps with files: what each gives in each state of the device, and what the rest of a scenario does to files.
@Suite struct FileStepTests {
    private func result(_ text: String) throws -> ScenarioResult {
        let file = ScenarioFile(bytes: Array(text.utf8), of: "example.yaml")
        #expect(file.mistakes.map(\.description) == [])
        return try #require(file.scenarios.first).run()
    }

    /// A state of the device, by the steps that lead there.
    enum Condition: CaseIterable, Sendable {
        case unlocked, locked, beforeFirstUnlock

        var steps: String {
            switch self {
            case .unlocked: "[{ expect: { device: { locked: false } } }"
            case .locked: "[lock, { wait: 10s }"
            case .beforeFirstUnlock: "[reboot"
            }
        }

        /// The denial of opening a file of this class; nil if it is granted.
        func denial(_ protection: FileProtection) -> String? {
            switch (self, protection) {
            case (.unlocked, _), (_, .none), (.locked, .completeUntilFirstUserAuthentication): nil
            case (.locked, .complete): "file.locked"
            case (.locked, .completeUnlessOpen): "file.closed-until-unlock"
            case (.beforeFirstUnlock, _): "file.before-first-unlock"
            }
        }

        /// The denial of creating a file of this class; nil if it is granted.
        func denialOfNew(_ protection: FileProtection) -> String? {
            protection == .completeUnlessOpen ? nil : denial(protection)
        }
    }

    /// The table of section 8.1, for every step and class.
    @Test(arguments: Condition.allCases, FileProtection.allCases)
    func eachStepEndsAsTheTableOfTheClassesSays(_ condition: Condition, _ protection: FileProtection) throws {
        let opening = condition.denial(protection) ?? "granted"
        let creating = condition.denialOfNew(protection) ?? "granted"
        for next in FileProtection.allCases {
            let moving = condition.denial(protection) ?? condition.denialOfNew(next) ?? "granted"
            let steps = [
                ("open: old", opening), ("append: old", opening), ("write: old", creating), ("begin: new", creating),
                ("write: new", creating), ("write: new, protection: \(next)", condition.denialOfNew(next) ?? "granted"),
                ("begin: new, protection: \(next)", condition.denialOfNew(next) ?? "granted"),
                ("protect: old, as: \(next)", moving), ("exclude: old", "granted"), ("rename: old, to: new", "granted"),
                ("rename: old, to: old", "granted"),
            ]
            for (step, verdict) in steps {
                let result = try result(
                    """
                    name: x
                    files: { old: \(protection), new: { protection: \(protection), stored: false } }
                    steps: \(condition.steps), { \(step), expect: \(verdict) }]
                    """)
                #expect(result.complaints == "", "\(step)")
            }
        }
    }

    /// A file that is open at the lock: class A fails, and class B goes on without the class key.
    @Test(arguments: FileProtection.allCases, [("old", "open"), ("new", "begin")])
    func whatIsHeldOpenGoesOnAsItsClassSays(_ protection: FileProtection, _ file: (name: String, step: String)) throws {
        let verdict = protection == .complete ? "file.held-when-locked" : "granted"
        let result = try result(
            """
            name: x
            files: { old: \(protection), new: { protection: \(protection), stored: false } }
            steps: [{ \(file.step): \(file.name) }, lock, { append: \(file.name) }, { wait: 10s },
              { append: \(file.name), times: 2, expect: \(verdict) }, unlock, { append: \(file.name) }]
            """)
        #expect(result.complaints == "")
    }

    /// The class that an open file has now decides about its use.
    @Test(arguments: FileProtection.allCases, FileProtection.allCases)
    func anOpenFileMovesToItsNextClass(_ former: FileProtection, _ next: FileProtection) throws {
        let result = try result(
            """
            name: x
            files: { old: \(former) }
            steps: [{ open: old }, { protect: old, as: \(next) }, lock, { wait: 10s },
              { append: old, expect: \(next == .complete ? "file.held-when-locked" : "granted") }]
            """)
        #expect(result.complaints == "")
    }

    /// Steps that are impossible in any state. No expectation of a denial accepts them.
    @Test(arguments: [
        ("open: new", "there is no file new"), ("append: new", "there is no file new"),
        ("close: new", "new is not open"), ("close: old", "old is not open"),
        ("protect: new, as: none", "there is no file new"), ("exclude: new", "there is no file new"),
        ("rename: new, to: old", "there is no file new"), ("begin: old", "there is a file old already"),
    ]) func whatIsImpossibleIsNoDenial(_ step: String, _ fault: String) throws {
        for expect in ["granted", "denied", "file.locked", "{ denied, flips-with: unlock }", "anything"] {
            let result = try result(
                """
                name: x
                files: { old: complete, new: { stored: false } }
                steps: [{ \(step), expect: \(expect) }]
                """)
            #expect(result.passed == (expect == "anything"))
            if let failure = result.failure { #expect(failure.outcome.inWords == "invalid request: \(fault)") }
        }
    }

    /// What turns a denial into a grant: the remedy of the rule, or a step that is tried.
    @Test(arguments: [
        ("unlock", true), ("enterPasscode", false), ("biometry", false), ("{ unlock }", true), ("{ wait: 1h }", false),
        ("[unlock, { unlock }]", true), ("{ protect: journal, as: none }", false),
    ]) func aDenialFlipsWithItsRemedy(_ flip: String, _ turns: Bool) throws {
        let result = try result(
            """
            name: x
            files: { journal: complete }
            steps: [lock, { wait: 10s }, { open: journal, expect: { denied: file.locked, flips-with: \(flip) } }]
            """)
        #expect(result.passed == turns, "\(result.complaints)")
    }

    @Test func aDenialIsExpectedByItsRule() throws {
        for expect in ["file.before-first-unlock", "{ denied: file.closed-until-unlock }", "granted"] {
            let result = try result(
                """
                name: x
                files: { journal: complete }
                steps: [lock, { wait: 10s }, { open: journal, expect: \(expect) }]
                """)
            #expect(result.failure?.findings.first?.actual == "denied by file.locked")
            #expect(result.complaint.contains { $0 == ("rules", "file.locked") })
            #expect(result.complaint.contains { $0 == ("to turn it", "unlock the device (unlock)") })
        }
    }

    /// What becomes of files: the steps, and the files that exist afterwards.
    @Test(arguments: [
        ("[{ erase: }]", "{ a: missing, cache: missing, new: missing }"),
        ("[{ backup: encrypted }, { restore: thisDevice }]", "{ a: stored, cache: missing, new: missing }"),
        ("[{ backup: unencrypted }, { restore: anotherDevice }]", "{ a: stored, cache: missing, new: missing }"),
        ("[{ backup: encrypted }, { write: new }, { erase: }, { restore: thisDevice }]", "{ a: stored, new: missing }"),
        ("[{ write: cache }, { backup: encrypted }, { restore: anotherDevice }]", "{ cache: stored }"),
        ("[{ exclude: a }, { backup: encrypted }, { restore: anotherDevice }]", "{ a: missing }"),
        (
            "[{ rename: cache, to: a }, { backup: encrypted }, { restore: anotherDevice }]",
            "{ a: missing, cache: missing }"
        ),
        ("[{ rename: a, to: new }]", "{ a: missing, new: stored }"),
        ("[{ protect: cache, as: none }, { backup: encrypted }, { restore: thisDevice }]", "{ cache: missing }"),
        ("[reboot, unlock, removePasscode]", "{ a: stored, cache: stored }"),
    ]) func filesComeAndGo(_ steps: String, _ files: String) throws {
        let result = try result(
            """
            name: x
            files: { a: complete, cache: { protection: none, excludedFromBackup: true }, new: { stored: false } }
            steps: \(steps.dropLast()), { expect: { files: \(files) } }]
            """)
        #expect(result.complaints == "")
    }

    /// Wrong passcodes erase the device as an event does, and its files with it.
    @Test func theLastWrongPasscodeErasesFiles() throws {
        let guesses = (1...10).map { "  - { unlock: { passcode: \"wrong \($0)\" }, expect: anything }\n  - wait: 1d\n" }
        let result = try result(
            """
            name: x
            device: { attemptEnd: erases }
            files: { journal: none, new: { protection: completeUnlessOpen, stored: false } }
            steps:
              - open: journal
            \(guesses.joined())
              - expect: { files: { journal: missing } }
              - setPasscode: "5678"
              - lock
              - wait: 10s
              - begin: new
              - append: new
            """)
        #expect(result.complaints == "")
    }

    /// Whatever happens to the device, a grant has its key: no step ends with an internal failure.
    @Test func aGrantAlwaysHasItsKey() throws {
        var random = SeededGenerator(seed: 20)
        let files = ["a", "b", "c"]
        let events = [
            "lock", "unlock", "reboot", "erase", "{ wait: 10s }", "{ wait: 5s }", "{ setPasscode: \"77\" }",
            "removePasscode", "{ backup: encrypted }", "{ restore: thisDevice }", "{ restore: anotherDevice }",
            "{ setPasscode: \"1234\" }",
        ]
        for _ in 0..<60 {
            var steps: [String] = []
            for _ in 0..<40 {
                let (file, other) = (random.pick(files), random.pick(files))
                let protection = random.pick(FileProtection.allCases)
                let calls = [
                    "open: \(file)", "append: \(file)", "close: \(file)", "write: \(file)", "begin: \(file)",
                    "write: \(file), protection: \(protection)", "begin: \(file), protection: \(protection)",
                    "rename: \(file), to: \(other)", "protect: \(file), as: \(protection)", "exclude: \(file)",
                ]
                let step =
                    Int.random(in: 0..<3, using: &random) == 0 ? random.pick(events) : "{ \(random.pick(calls)) }"
                steps.append(
                    step.hasPrefix("{") ? "\(step.dropLast(2)), expect: anything }" : "{ \(step): , expect: anything }")
            }
            let text =
                "name: x\nfiles: { a: complete, b: completeUnlessOpen, c: }\nsteps:\n"
                + steps.map { "  - \($0)\n" }.joined()
            let result = try result(text)
            #expect(result.complaints == "", "\(text)")
        }
    }

    // MARK: - Coverage

    @Test func aRuleAboutFilesCountsLikeAnyRule() throws {
        let result = try result("name: x\nfiles: { f: complete }\nsteps: [{ open: f }, { exclude: f }]")
        let fired = result.coverage.rules.filter { result.coverage.hasFired($0) }.map(\.identifier)
        #expect(fired == ["file.class-open", "file.metadata"])
        #expect(FileRule.allCases.filter { result.coverage.hasFired(.file($0)) } == [.classOpen, .metadata])
        let reachable = Rule.allCases.filter { Coverage.outOfReach[.item($0)] == nil }
        #expect(result.coverage.rules == reachable.map { .item($0) } + FileRule.allCases.map { .file($0) })
        var all = Coverage()
        all.add(result.coverage)
        #expect(all == result.coverage)
        #expect(all.count.covered == 2)
    }

    @Test func aFileCanBeOpenAtTheBeginning() throws {
        for (declared, verdict) in [("open: true", "granted"), ("open: false", "file.closed-until-unlock")] {
            let result = try result(
                """
                name: x
                files: { upload: { protection: completeUnlessOpen, \(declared) } }
                steps: [lock, { wait: 10s }, { append: upload, expect: \(verdict) }]
                """)
            #expect(result.complaints == "", "\(declared)")
        }
    }

    /// Deleting needs no key, as renaming does not.
    @Test(arguments: FileProtection.allCases) func aFileCanBeDeletedInEveryState(_ protection: FileProtection) throws {
        for condition in Condition.allCases {
            let result = try result(
                """
                name: x
                files: { f: { protection: \(protection), open: true } }
                steps: \(condition.steps), { unlink: f, expect: { granted: , files: { f: missing } } }]
                """)
            #expect(result.complaints == "", "\(condition)")
        }
    }
}
