internal import AccessPolicy
internal import PolicyProver

extension Format {
    private static let reuse = Shape.Field(
        "reuse", .duration,
        "touchIDAuthenticationAllowableReuseDuration of the app; none unless said otherwise")
    private static let itemOfClaim = Shape.Field("item", .text, "the item; it may be left out where there is one")
    private static let aim = Vocabulary.shape("aim", Vocabulary.aims)
    private static let against = Shape.Field("against", .text, "the attacker, of those known or those of this file")
    private static let by = Shape.Field("by", .text, "who; the owner unless said otherwise")

    /// What is claimed of an item on the device as the file declares them.
    static let claim = Shape.record(
        Shape.Record(
            "a claim",
            [
                Shape.Field("note", .text, "words for whoever reads it"),
                reuse,
                Shape.Field(
                    "expect", .word(called: "answer", ["holds", "fails"]),
                    "what comes of proving it; that it holds unless said otherwise"),
            ] + Assumption.allCases.map { assumption($0) },
            actions: [
                .init(.init(ClaimKind.never.rawValue, aim, ClaimKind.never.summary), with: [itemOfClaim, against]),
                .init(
                    .init(ClaimKind.eventuallyCan.rawValue, aim, ClaimKind.eventuallyCan.summary),
                    with: [itemOfClaim, by]),
                .init(
                    .init(ClaimKind.alwaysCan.rawValue, aim, ClaimKind.alwaysCan.summary),
                    with: [itemOfClaim, by, against]),
                .init(
                    .init(
                        ClaimKind.goneAfterEnrollmentChange.rawValue, .either([.nothing, .text]),
                        ClaimKind.goneAfterEnrollmentChange.summary + "; takes the item"), with: [itemOfClaim]),
                .init(
                    .init(ClaimKind.atMostPrompts.rawValue, .number(0...1000), ClaimKind.atMostPrompts.summary),
                    with: [
                        itemOfClaim, by,
                        Shape.Field(
                            "workflow", .list(Vocabulary.shape("request", ClaimWords.workflow)),
                            "what is asked of the item, one after another, each in a context of its own unless the app keeps one"
                        ),
                    ]),
            ], says: "what is claimed"))

    /// Somebody of the file's own who may come to hold the device.
    static let attacker = Shape.record(
        Shape.Record(
            "an attacker",
            [
                Shape.Field("about", .text, "who they are, in a sentence"),
                Shape.Field(
                    "like", .text, "whom they are like but for what is said: one who is known, or declared above"),
                Shape.Field("knows", .list(Vocabulary.shape("knowledge", Vocabulary.knowledge)), "what they know"),
                Shape.Field(
                    "carries", .list(Vocabulary.shape("belonging", Vocabulary.belongings)), "what they have on them"),
                Shape.Field("holds", .word(called: "hold", HoldWord.all.map(\.word)), "how the device comes to them"),
                Shape.Field(
                    "can", .list(Vocabulary.shape("ability", Vocabulary.abilities)),
                    "what they can do besides using what they know and carry"),
                Shape.Field(
                    "time", .either([.word(called: "time", ["unlimited"]), .duration]),
                    "how long they have; as long as they like unless said otherwise"),
                Shape.Field(
                    "fromOtherGroup", .truth,
                    "whether they ask through an app of another access group than the item's"),
            ] + Assumption.allCases.filter { $0 != .holds }.map { assumption($0) }))

    /// The assumptions, of which a claim says more than the attacker does.
    private static func assumption(_ assumption: Assumption) -> Shape.Field {
        Shape.Field(
            assumption.rawValue,
            assumption.words == ["true", "false"] ? .truth : .word(called: "assumption", assumption.words),
            "assumed: \(assumption.about); \(assumption.words[0]) unless said otherwise")
    }
}
