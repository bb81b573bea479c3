internal import AccessPolicy

extension Format {
    static let expectation = Shape.either([
        .word(called: "outcome", verdicts + Vocabulary.denials + Vocabulary.statuses.map(\.0)),
        .record(expectationRecord),
    ])

    static func expects(_ key: String) -> Bool { expectationRecord.fields.contains { $0.key == key } }

    private static let expectationRecord = Shape.Record(
        "an expectation",
        [
            Shape.Field(
                "granted", .either([.nothing, .list(factor)]), "the request is granted, with these factors"),
            Shape.Field("reusesUnlock", .truth, "whether the biometry comes from the unlock of the device"),
            Shape.Field(
                "denied", .either([.nothing, .word(called: "rule", Vocabulary.denials)]),
                "the request is denied, by this rule"),
            Shape.Field(
                "refused",
                .either([
                    .nothing,
                    .word(called: "refusal", refusals),
                ]),
                "the event cannot happen, for this reason"),
            Shape.Field("happens", .nothing, "the event happens"),
            Shape.Field(
                "moved", .list(.word(called: "rule of syncing", SyncRule.allCases.map(\.identifier))),
                "the rules by which items moved between the devices, or stayed, in order"),
            Shape.Field(
                "status", Vocabulary.shape("status", Vocabulary.statuses), "the OSStatus of a keychain call"),
            Shape.Field(
                "laError", Vocabulary.shape("LAError", Vocabulary.laErrors), "the LAError of an evaluation"),
            Shape.Field(
                "prompts", prompts, "the prompts: none, their number, or their factors in order"),
            Shape.Field(
                "permissionAlerts", .number(0...100),
                "the number of alerts that ask whether the app may use Face ID"),
            Shape.Field("secret", .text, "the secret that the step returns, or none"),
            Shape.Field("found", .list(.text), "the items that the query finds, in any order"),
            Shape.Field(
                "items", .named(.word(called: "state", ItemState.allCases.map(\.rawValue))),
                "the states of items afterwards"),
            Shape.Field(
                "files", .named(.word(called: "state", FileState.allCases.map(\.rawValue))),
                "which files exist afterwards"),
            Shape.Field(
                "domainState", .word(called: "domain state", DomainStateChange.allCases.map(\.rawValue)),
                "the domain state, compared with the last time that a step read it, or with the beginning"),
            Shape.Field("device", .record(deviceState), "the state of the device afterwards"),
            Shape.Field("flips-with", flips, "what would have turned the denial into a grant"),
        ])

    /// The words for the refusals of a device and of an account. Some have both.
    private static let refusals: [String] = {
        let words = Vocabulary.refusals.map(\.0)
        return words + Vocabulary.accountRefusals.map(\.0).filter { !words.contains($0) }
    }()

    static let verdicts = ["granted", "denied", "refused", "happens", "anything"]

    private static let factor = Vocabulary.shape("factor", Vocabulary.factors)

    private static let prompts = Shape.either([
        .number(0...1000), .word(called: "prompt", ["none"] + Vocabulary.factors.map(\.0)), .list(factor),
        .record(
            Shape.Record("a budget", [Shape.Field("at most", .number(0...1000), "the most prompts", isRequired: true)])),
    ])

    private static let deviceState = Shape.Record(
        "a state of the device",
        [
            Shape.Field("locked", .truth, "whether the screen is locked"),
            Shape.Field("firstUnlock", .truth, "whether the device was unlocked since it started"),
            Shape.Field("passcodeSet", .truth, "whether a passcode is set"),
            Shape.Field("lockedOut", .truth, "whether biometry waits for the passcode because of failed matches"),
            Shape.Field("passcodeRequired", .truth, "whether biometry waits for the passcode for another reason"),
            Shape.Field("disabled", .truth, "whether the device accepts no more passcodes"),
            Shape.Field("enrolled", .list(.text), "the enrolled fingers or faces"),
        ])

    /// The shape of `flips-with`: a remedy or a factor in a word, or a step that is tried just before.
    private static let flips = Shape.list(
        .either([.word(called: "remedy", Vocabulary.remedies.map(\.0) + Vocabulary.factors.map(\.0)), .step]))
}
