internal import AccessPolicy
internal import PolicyProver

extension Format {
    private static let reuse = Shape.Field(
        "reuse", .duration,
        "touchIDAuthenticationAllowableReuseDuration of the app; default: none")
    private static let itemOfClaim = Shape.Field("item", .text, "the item; needed only if there are several")
    private static let fileOfClaim = Shape.Field(
        "file", .text, "the file, if the aim is about a file; needed only if there are several")
    private static let aim = Vocabulary.shape("aim", Vocabulary.aims)
    private static let against = Shape.Field("against", .text, "the attacker: a built-in one, or one of this file")
    private static let by = Shape.Field("by", .text, "the person; default: the owner")

    /// The shape of a claim about an item or a file, on the device that the document declares.
    static let claim = Shape.record(
        Shape.Record(
            "a claim",
            [
                Shape.Field("note", .text, "a note for readers"),
                reuse,
                Shape.Field(
                    "expect", .word(called: "answer", ["holds", "fails"]),
                    "the expected verdict; default: holds"),
            ] + Assumption.allCases.map { assumption($0) },
            actions: [
                .init(
                    .init(ClaimKind.never.rawValue, aim, ClaimKind.never.summary),
                    with: [itemOfClaim, fileOfClaim, against]),
                .init(
                    .init(ClaimKind.eventuallyCan.rawValue, aim, ClaimKind.eventuallyCan.summary),
                    with: [itemOfClaim, fileOfClaim, by]),
                .init(
                    .init(ClaimKind.alwaysCan.rawValue, aim, ClaimKind.alwaysCan.summary),
                    with: [itemOfClaim, fileOfClaim, by, against]),
                .init(
                    .init(
                        ClaimKind.goneAfterEnrollmentChange.rawValue, .either([.nothing, .text]),
                        ClaimKind.goneAfterEnrollmentChange.summary + "; the value names the item"), with: [itemOfClaim]
                ),
                .init(
                    .init(
                        ClaimKind.endsWithRemoval.rawValue, .either([.nothing, .text]),
                        ClaimKind.endsWithRemoval.summary + "; the value names the item"), with: [itemOfClaim, against]
                ),
                .init(
                    .init(ClaimKind.atMostPrompts.rawValue, .number(0...1000), ClaimKind.atMostPrompts.summary),
                    with: [
                        itemOfClaim, by,
                        Shape.Field(
                            "workflow", .list(Vocabulary.shape("request", ClaimWords.workflow)),
                            "the requests for the item, in order; each has a context of its own unless the app keeps one"
                        ),
                    ]),
            ], says: "what it claims"))

    /// The shape of an attacker that the file declares.
    static let attacker = Shape.record(
        Shape.Record(
            "an attacker",
            [
                Shape.Field("about", .text, "a description in one sentence"),
                Shape.Field(
                    "like", .text, "the attacker that the other keys change: a built-in one, or one declared above"),
                Shape.Field("knows", .list(Vocabulary.shape("knowledge", Vocabulary.knowledge)), "what they know"),
                Shape.Field(
                    "carries", .list(Vocabulary.shape("belonging", Vocabulary.belongings)), "what they carry"),
                Shape.Field(
                    "holds", .word(called: "hold", HoldWord.all.map(\.word)), "the state in which they get the device"),
                Shape.Field(
                    "can", .list(Vocabulary.shape("ability", Vocabulary.abilities)),
                    "what they can do, besides using what they know and carry"),
                Shape.Field(
                    "time", .either([.word(called: "time", ["unlimited"]), .duration]),
                    "how much time they have; default: unlimited"),
                Shape.Field(
                    "fromOtherGroup", .truth,
                    "whether they use an app of another access group than the item's"),
            ] + Assumption.allCases.filter { $0 != .holds }.map { assumption($0) }))

    private static func assumption(_ assumption: Assumption) -> Shape.Field {
        Shape.Field(
            assumption.rawValue,
            assumption.words == ["true", "false"] ? .truth : .word(called: "assumption", assumption.words),
            "assumed: \(assumption.about); default: \(assumption.words[0])")
    }
}
