import PolicyScenarios
import ScenarioFormat
import Testing

/// Every expectation in a file is checked.
@Suite struct ExpectationTests {
    private func file(_ step: String) -> ScenarioFile {
        ScenarioFile(
            bytes: Array(
                """
                name: x
                items:
                  token: { require: biometryAny, secret: s3cret }
                  open: { secret: s3cret }
                  key: { class: key, require: [privateKeyUsage, biometryAny] }
                steps:
                  - { read: open, context: session }
                  - { \(step) }
                """.utf8), of: "x.yaml")
    }

    /// An expectation that every outcome meets is a mistake in the file, at its key.
    @Test(arguments: [
        ("read: token", "reusesUnlock: true", "it needs \"granted\" beside it"),
        ("read: token", "denied: , reusesUnlock: true", "it needs \"granted\" beside it"),
        ("read: token", "found: []", "only a query finds items"),
        ("read: token", "flips-with: biometry", "it needs a denial: add \"denied\""),
        ("update: token", "secret: none", "only a read or a query returns a secret"),
        ("update: { account: token }, secret: new", "secret: none", "only a read or a query returns a secret"),
        ("sign: key", "secret: none", "only a read or a query returns a secret"),
        ("exists: token", "secret: none", "only a read or a query returns a secret"),
        ("evaluate: deviceOwnerAuthentication", "found: []", "only a query finds items"),
        ("create: {}", "prompts: none", "this step never shows a prompt"),
        ("create: {}", "reusesUnlock: false", "this step never shows a prompt"),
        ("lock: ", "permissionAlerts: 0", "this step never shows a prompt"),
        ("lock: ", "prompts: none", "this step never shows a prompt"),
        ("lock: ", "flips-with: biometry", "it needs a denial: add \"denied\""),
        ("hold: stranger", "flips-with: biometry", "it needs a denial: add \"denied\""),
        ("hold: stranger", "prompts: none", "this step never shows a prompt"),
        ("invalidate: session", "secret: none", "only a read or a query returns a secret"),
    ]) func whatIsNotLookedAtCannotBeExpected(_ step: String, _ expectation: String, _ why: String) throws {
        let key = try #require(expectation.split(separator: ", ").last?.split(separator: ":").first)
        let mistakes = file("\(step), expect: { \(expectation) }").mistakes
        #expect(mistakes.map(\.message) == ["\"\(key)\" has no effect here: \(why)"])
    }

    /// A value that the reader rejects is one mistake. Values that depend on it are none.
    @Test(arguments: [
        ("lock: ", "onlyResetRemoves", "unknown outcome \"onlyResetRemoves\""),
        ("read: token", "{ status: errSecFoo, flips-with: biometry }", "unknown status \"errSecFoo\""),
        ("read: token", "{ status: errSecFoo, reusesUnlock: true }", "unknown status \"errSecFoo\""),
        ("read: token", "{ denid: class.locked, flips-with: unlock }", "an expectation has no key \"denid\""),
        ("read: token", "{ grantd: biometry, reusesUnlock: true }", "an expectation has no key \"grantd\""),
    ]) func whatIsNotUnderstoodIsOneMistake(_ step: String, _ expectation: String, _ message: String) {
        let mistakes = file("\(step), expect: \(expectation)").mistakes
        #expect(mistakes.count == 1 && mistakes.first?.message.hasPrefix(message) == true, "\(mistakes)")
    }

    /// An unknown flag is one mistake, whatever the file claims of the item.
    @Test(arguments: [
        "items: { t: { class: key, require: biometryAny privateKeyUsagee } }",
        "policies: { p: { require: [biometryAny, privateKeyUsagee] } }\nitems: { t: { class: key, policy: p } }",
    ]) func aFlagThatIsNotUnderstoodIsOneMistake(_ items: String) {
        let text = "name: x\n\(items)\nclaims: [{ never: use, item: t, against: borrower }]\n"
        #expect(
            ScenarioFile(bytes: Array(text.utf8), of: "x.yaml").mistakes.map(\.message) == [
                "unknown flag \"privateKeyUsagee\": did you mean privateKeyUsage?"
            ])
    }

    @Test func anEvaluationHasNoOSStatus() {
        for status in ["errSecAuthFailed", "{ status: errSecSuccess }"] {
            #expect(
                file("evaluate: deviceOwnerAuthentication, expect: \(status)").mistakes.map(\.message) == [
                    "an evaluation ends with an LAError, not an OSStatus: use \"laError\""
                ])
        }
    }

    @Test func anEvaluationHasNothingToSkip() {
        #expect(
            file("evaluate: deviceOwnerAuthentication, interaction: skip").mistakes.map(\.message) == [
                "an evaluation has no items to skip: use allow or fail"
            ])
        #expect(file("evaluate: deviceOwnerAuthentication, interaction: fail").mistakes.isEmpty)
    }

    /// The secrets of a query are those of the items that it finds. There are none if it asks for none.
    @Test(arguments: [
        ("read: { account: token }", "{ secret: s3cret }", true),
        ("read: { account: token }", "{ secret: none }", false),
        ("read: { account: token }", "{ secret: another }", false),
        ("read: { limit: all }", "{ secret: s3cret }", false), ("read: { limit: all }", "{ secret: none }", false),
        ("exists: { account: token }", "{ secret: none }", true),
        ("exists: { account: token }", "{ secret: s3cret }", false),
        ("read: { account: token }, by: stranger", "{ denied: , secret: none }", true),
    ]) func theSecretOfAQueryIsLookedAt(_ step: String, _ expectation: String, _ passes: Bool) throws {
        let file = file("\(step), expect: \(expectation)")
        #expect(file.mistakes.map(\.description) == [])
        let result = try #require(file.scenarios.first).run()
        #expect(result.passed == passes, "\(result.complaints)")
    }

    /// An invalid request is denied by no rule and has no remedy, so a file has to name its status.
    @Test(arguments: [
        ("errSecParam", true), ("{ status: errSecParam }", true), ("{ denied: , status: errSecParam }", true),
        ("denied", false), ("{ denied: , status: errSecParam, flips-with: biometry }", false),
        ("{ denied: class.locked, status: errSecParam }", false), ("anything", true),
    ]) func whatIsNotUnderstoodIsNoDenial(_ expectation: String, _ passes: Bool) throws {
        let file = file("update: { account: token, return: data }, secret: new, expect: \(expectation)")
        #expect(file.mistakes.map(\.description) == [])
        #expect(try #require(file.scenarios.first).run().passed == passes)
    }

    /// An item that was renamed and stored again is there twice, and the scenario has a name for only one of them.
    @Test(arguments: [("account: token", true), ("service: notes", false)])
    func whatHasNoNameIsFoundAsWell(_ query: String, _ passes: Bool) throws {
        let file = ScenarioFile(
            bytes: Array(
                """
                name: x
                items: { token: { service: notes } }
                steps:
                  - { update: token, set: { account: renamed } }
                  - add: token
                  - { reference: { \(query), limit: all }, expect: { found: token } }
                """.utf8), of: "x.yaml")
        #expect(file.mistakes.map(\.description) == [])
        let result = try #require(file.scenarios.first).run()
        #expect(result.passed == passes, "\(result.complaints)")
    }
}
