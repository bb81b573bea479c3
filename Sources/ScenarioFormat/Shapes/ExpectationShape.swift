internal import AccessPolicy

extension Format {
    /// What is expected of a step.
    static let expectation = Shape.either([
        .word(called: "outcome", verdicts + Vocabulary.rules.map(\.0) + Vocabulary.statuses.map(\.0)),
        .record(expectationRecord),
    ])

    /// Returns true if an expectation has this key.
    static func expects(_ key: String) -> Bool { expectationRecord.fields.contains { $0.key == key } }

    private static let expectationRecord = Shape.Record(
        "an expectation",
        [
            Shape.Field(
                "granted", .either([.nothing, .list(factor)]), "that it goes ahead, and what was proved for it"),
            Shape.Field("reusesUnlock", .truth, "whether the biometry was that of the device's unlock"),
            Shape.Field(
                "denied", .either([.nothing, Vocabulary.shape("rule", Vocabulary.rules)]),
                "that it is denied, and by which rule"),
            Shape.Field(
                "refused", .either([.nothing, Vocabulary.shape("refusal", Vocabulary.refusals)]),
                "that it cannot happen, and why"),
            Shape.Field("happens", .nothing, "that it happens"),
            Shape.Field(
                "status", Vocabulary.shape("status", Vocabulary.statuses), "the OSStatus of a keychain call"),
            Shape.Field(
                "laError", Vocabulary.shape("LAError", Vocabulary.laErrors), "the LAError of an evaluation"),
            Shape.Field(
                "prompts", prompts, "what people are asked for: nothing, how often, or what in this order"),
            Shape.Field(
                "permissionAlerts", .number(0...100),
                "how often people are asked whether the app may use Face ID"),
            Shape.Field("secret", .text, "the secret that comes out, or none"),
            Shape.Field("found", .list(.text), "the items that are found, in any order"),
            Shape.Field(
                "items", .named(.word(called: "state", ItemState.allCases.map(\.rawValue))),
                "how items are afterwards"),
            Shape.Field(
                "domainState", .word(called: "domain state", DomainStateChange.allCases.map(\.rawValue)),
                "what it is, compared with the last time that a step asked, or the beginning"),
            Shape.Field("device", .record(deviceState), "how the device is afterwards"),
            Shape.Field("flips-with", flips, "what would have turned a denial"),
        ])

    /// What can be expected in one word.
    static let verdicts = ["granted", "denied", "refused", "happens", "anything"]

    private static let factor = Vocabulary.shape("factor", Vocabulary.factors)

    private static let prompts = Shape.either([
        .number(0...1000), .word(called: "prompt", ["none"] + Vocabulary.factors.map(\.0)), .list(factor),
        .record(Shape.Record("a budget", [Shape.Field("at most", .number(0...1000), "how often", isRequired: true)])),
    ])

    private static let deviceState = Shape.Record(
        "a state of the device",
        [
            Shape.Field("locked", .truth, "whether the screen is locked"),
            Shape.Field("firstUnlock", .truth, "whether it was unlocked since it started"),
            Shape.Field("passcodeSet", .truth, "whether there is a passcode"),
            Shape.Field("lockedOut", .truth, "whether biometry waits for the passcode because of failed matches"),
            Shape.Field("passcodeRequired", .truth, "whether biometry waits for the passcode for another reason"),
            Shape.Field("disabled", .truth, "whether it takes no more passcodes"),
            Shape.Field("enrolled", .list(.text), "who is enrolled"),
        ])

    /// A remedy or a factor in a word, or steps that are tried: with them just before, it is granted.
    private static let flips = Shape.list(
        .either([.word(called: "remedy", Vocabulary.remedies.map(\.0) + Vocabulary.factors.map(\.0)), .step]))
}
