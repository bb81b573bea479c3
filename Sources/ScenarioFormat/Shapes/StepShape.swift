internal import AccessPolicy
internal import PolicyProver
internal import PolicyWords

extension Format {
    /// The shape of a step: a word for an event without details, or a mapping.
    static let step = Shape.either([.word(called: "step", bareEvents), .record(stepRecord)])

    /// The events that need no details. Messages name the most frequent ones first.
    private static let bareEvents = {
        let frequent = ["lock", "unlock"]
        return frequent + Steps.all.filter { $0.form.acceptsNothing && !frequent.contains($0.word) }.map(\.word)
            + AccountRow.all.filter(\.standsAlone).map(\.word)
    }()

    /// The shape of a step that is a mapping.
    static let stepRecord = Shape.Record(
        "a step",
        [
            Shape.Field("note", .text, "a note for readers"),
            Shape.Field(
                "times", .number(1...1_000_000), "how often to do it; the expectation has to hold each time"),
            Shape.Field("on", .text, "the device, in a file with several; default: the first"),
            Shape.Field("expect", expectation, "the expected outcome; default: the step succeeds"),
        ],
        actions: requests + fileRequests + evaluations + events + accountSteps + failures, standsAlone: "expect")

    private static let byWhom = Shape.Field(
        "by", .text, "the person who answers the prompts; default: the person who holds the device")
    private static let byPerson = Shape.Field(
        "by", .text, "the person who does it, if they can; by default it happens without any person")

    private static let asking = [
        byWhom,
        Shape.Field("app", .text, "the app that calls; default: the first"),
        Shape.Field(
            "context", .text,
            "the name of an LAContext, which keeps its authentication; default: a new one for each call"),
        Shape.Field(
            "interaction", Vocabulary.shape("interaction", Vocabulary.interactions), "whether the call may show prompts"
        ),
        Shape.Field("reuse", .duration, "touchIDAuthenticationAllowableReuseDuration"),
        Shape.Field("applicationPassword", .text, "the application password that the app sets in advance"),
        Shape.Field("meanwhile", .list(.step), "steps to play while the first prompt is shown"),
    ]

    private static let requests: [Shape.Action] = [
        .init(.init("add", .text, "SecItemAdd: stores the item"), with: asking + changes),
        .init(.init("read", target, "SecItemCopyMatching with kSecReturnData"), with: asking),
        .init(.init("attributes", target, "SecItemCopyMatching with kSecReturnAttributes"), with: asking),
        .init(.init("reference", target, "SecItemCopyMatching with kSecReturnPersistentRef"), with: asking),
        .init(.init("exists", target, "SecItemCopyMatching without a return key"), with: asking),
        .init(
            .init("inventory", .text, "name and policy, for the owner's own list; Apple has no such call"), with: asking
        ),
        .init(.init("update", target, "SecItemUpdate"), with: asking + changes + [set]),
        .init(.init("delete", target, "SecItemDelete"), with: asking),
        .init(.init("sign", .text, "SecKeyCreateSignature"), with: asking),
        .init(.init("agree", .text, "SecKeyCopyKeyExchangeResult"), with: asking),
        .init(.init(ClaimWords.decrypting, .text, "SecKeyCreateDecryptedData"), with: asking),
        .init(.init("decapsulate", .text, "decapsulates a shared secret, as ML-KEM does"), with: asking),
    ]

    private static let changes =
        [
            Shape.Field("accessible", demand[0].shape, "another accessibility class than the item has"),
            Shape.Field("require", demand[1].shape, "other flags than the item has"),
            Shape.Field("policy", .text, "another policy by name, instead of accessible and require"),
            Shape.Field("secret", .text, "another secret, or none"),
        ]
    private static let set = Shape.Field(
        "set", .record(Shape.Record("a change", attributes)), "attributes to change")

    /// The shape of the target of a request: the name of an item, or a query.
    static let target = Shape.either([
        .text,
        .record(
            Shape.Record(
                "a query",
                [itemClass] + attributes + [
                    Shape.Field("accessible", demand[0].shape, "kSecAttrAccessible; default: any"),
                    Shape.Field("group", .text, "kSecAttrAccessGroup"),
                    Shape.Field(
                        "synchronizable", .word(called: "choice", ["true", "false", "any"]),
                        "kSecAttrSynchronizable; default: false"),
                    Shape.Field(
                        "limit", .either([.word(called: "limit", ["one", "all"]), .number(0...1000)]), "kSecMatchLimit"),
                    Shape.Field(
                        "return", .list(.word(called: "part", ["data", "attributes", "reference"])), "kSecReturn…"),
                ])),
    ])

    /// The calls on a context, and the creation of an access control.
    private static let evaluations: [Shape.Action] = {
        let subject = Shape.either([
            Vocabulary.shape("policy", Vocabulary.policies),
            .record(
                Shape.Record(
                    "an access control",
                    demandOrName + [
                        Shape.Field(
                            "operation", Vocabulary.shape("operation", Vocabulary.operations),
                            "the operation to authorize; default: useItem")
                    ])),
        ])
        let fallback = Shape.Field(
            "fallbackTitle", .text, "localizedFallbackTitle; an empty one hides the fallback button")
        return [
            .init(
                .init("evaluate", subject, "LAContext.evaluatePolicy, or evaluateAccessControl"),
                with: asking + [fallback]),
            .init(.init("canEvaluate", subject, "LAContext.canEvaluatePolicy"), with: asking),
            .init(.init("invalidate", .text, "LAContext.invalidate")),
            .init(.init("create", .record(policy), "SecAccessControlCreateWithFlags")),
        ]
    }()

    private static let events = Steps.all.map { row in
        Shape.Action(Shape.Field(row.word, Shape(row.form), row.says), with: row.takesPerson ? [byPerson] : [])
    }

    private static let accountSteps = AccountRow.all.map { row in
        Shape.Action(Shape.Field(row.word, row.shape, "\(row.says); only in a file with several devices"))
    }
}

extension Shape {
    /// Creates the shape of the value of a step.
    fileprivate init(_ form: StepForm) {
        switch form {
        case .nothing: self = .nothing
        case .duration: self = .duration
        case .passcode, .app, .person: self = .text
        case .fingers: self = .list(.text)
        case .word(let kind, let words, _): self = .word(called: kind, words)
        case .oneOf(let noun, let keys):
            self = .either([
                .nothing, .record(Record(noun, keys.map { key in Field(key.name, .text, key.says) })),
            ])
        }
    }
}
