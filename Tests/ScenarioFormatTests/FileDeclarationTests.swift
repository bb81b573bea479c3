import AccessPolicy
import Foundation
import ScenarioFormat
import TestSupport
import Testing

/// Files in scenarios: how they are declared, and what a mistake says.
@Suite struct FileDeclarationTests {
    private func read(_ text: String) -> ScenarioFile { ScenarioFile(bytes: Array(text.utf8), of: "x.yaml") }

    @Test func aFileIsAClassOrAMappingOrNothing() throws {
        let file = read(
            """
            name: x
            files:
              journal: complete
              cache: { protection: completeUnlessOpen, excludedFromBackup: true }
              draft: { stored: false }
              database:
            steps: [{ open: journal }]
            """)
        #expect(file.mistakes.map(\.description) == [])
        let files = try #require(file.scenarios.first).files
        #expect(files.map(\.name) == ["journal", "cache", "draft", "database"])
        #expect(files.map(\.protection) == [.complete, .completeUnlessOpen, .usual, .usual])
        #expect(files.map(\.isExcludedFromBackup) == [false, true, false, false])
        #expect(files.map(\.isStored) == [true, true, false, true])
        #expect(files.map(\.position.line) == [3, 4, 5, 6])
    }

    @Test func everyClassIsAWord() {
        for protection in FileProtection.allCases {
            let text = "name: x\nfiles: { f: \(protection.name) }\nsteps: [{ protect: f, as: \(protection.name) }]"
            let file = read(text)
            #expect(file.mistakes.map(\.description) == [])
            #expect(file.scenarios.first?.files.first?.protection == protection)
            #expect(file.scenarios.first?.steps.first?.words == "protect f as \(protection.name)")
        }
    }

    @Test func filesAreIncludedAsItemsAre() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("x.yaml")
        try "files: { journal: complete }".write(toFile: folder.path("files.yaml"), atomically: true, encoding: .utf8)
        try "include: files.yaml\nname: x\nfiles: { f: none }\nsteps: [{ open: journal }, { open: f }]".write(
            toFile: path, atomically: true, encoding: .utf8)
        let file = try ScenarioFile(path)
        #expect(file.mistakes.map(\.description) == [])
        #expect(file.scenarios.first?.files.map(\.name) == ["f", "journal"])
        #expect(file.scenarios.first?.files.map(\.protection) == [FileProtection.none, .complete])
    }

    /// A mistake in a declaration, with what is said about it.
    @Test(arguments: [
        ("journal: complet", "2:19: unknown protection class \"complet\": did you mean complete?"),
        ("f: { protecton: none }", "2:15: a file has no key \"protecton\": did you mean protection?"),
        ("f: { stored: maybe }", "2:23: expected true or false, found \"maybe\""),
        (
            "f: { protection: completeWhenUserInactive }",
            "2:27: unknown protection class \"completeWhenUserInactive\": use complete, completeUnlessOpen, "
                + "completeUntilFirstUserAuthentication or none"
        ),
        ("f: [complete]", "2:13: expected nothing, or a protection class, or a file (a mapping), found a list"),
    ]) func aMistakeInADeclarationHasItsPlace(_ declaration: String, _ said: String) {
        let file = read("name: x\nfiles: { \(declaration) }\nsteps: [lock]")
        #expect(file.mistakes.map(\.description) == ["x.yaml:\(said)"])
    }

    /// A mistake in a step, with what is said about it.
    @Test(arguments: [
        ("open: jornal", "5:11: unknown file \"jornal\": did you mean journal?"),
        ("open: [journal]", "5:11: expected a text, found a list"),
        ("rename: journal", "5:5: a step needs \"to\": the new name: another file of the scenario"),
        ("{ rename: journal, to: drft }", "5:28: unknown file \"drft\": did you mean draft?"),
        ("protect: journal", "5:5: a step needs \"as\": the next class"),
        ("{ protect: journal, as: nine }", "5:29: unknown protection class \"nine\": did you mean none?"),
        ("{ write: journal, protection: nine }", "5:35: unknown protection class \"nine\": did you mean none?"),
        ("{ open: journal, to: draft }", "5:22: \"to\" does not go with \"open\""),
        ("{ open: journal, by: owner }", "5:22: \"by\" does not go with \"open\""),
        (
            "{ open: journal, close: journal }",
            "5:22: \"close\" has to be a step of its own: this one has \"open\" already"
        ),
        (
            "{ open: journal, expect: happens }",
            "5:30: a request is granted or denied; only an event happens or is refused"
        ),
        (
            "{ open: journal, expect: class.locked }",
            "5:30: class.locked is about items: no step with a file is denied by it"
        ),
        (
            "{ read: token, expect: file.locked }",
            "5:28: file.locked is about files: only a step with a file is denied by it"
        ),
        (
            "{ read: token, expect: { denied: file.locked } }",
            "5:38: file.locked is about files: only a step with a file is denied by it"
        ),
        (
            "{ open: journal, expect: errSecAuthFailed }",
            "5:30: a step with a file ends with no OSStatus or LAError: use the name of a rule"
        ),
        (
            "{ open: journal, expect: { denied, laError: userCancel } }",
            "5:49: a step with a file ends with no OSStatus or LAError: use the name of a rule"
        ),
        (
            "{ open: journal, expect: { prompts: none } }",
            "5:32: \"prompts\" has no effect here: this step never shows a prompt"
        ),
        (
            "{ open: journal, expect: { secret: x } }",
            "5:32: \"secret\" has no effect here: only a read or a query returns a secret"
        ),
        ("{ open: journal, expect: { found: token } }", "5:32: \"found\" has no effect here: only a query finds items"),
        (
            "{ open: journal, expect: { granted, flips-with: unlock } }",
            "5:41: \"flips-with\" has no effect here: it needs a denial: add \"denied\""
        ),
        ("{ lock, expect: { files: { jornal: stored } } }", "5:32: unknown file \"jornal\": did you mean journal?"),
        ("{ lock, expect: { files: { journal: present } } }", "5:41: unknown state \"present\": use stored or missing"),
    ]) func aMistakeInAStepHasItsPlace(_ step: String, _ said: String) {
        let file = read(
            "name: x\nfiles: { journal: complete, draft: { stored: false } }\nitems: { token: }\nsteps:\n  - \(step)")
        #expect(file.mistakes.map(\.description) == ["x.yaml:\(said)"])
    }

    /// A rule that grants access decides no outcome, so that no file can expect it.
    @Test func onlyRulesThatDenyAreExpected() {
        for rule in FileRule.allCases {
            let file = read("name: x\nfiles: { f: }\nsteps: [{ open: f, expect: \(rule.identifier) }]")
            #expect(file.mistakes.isEmpty == (rule.facts.effect == .denies), "\(rule.identifier)")
        }
    }
}
