internal import AccessPolicy
internal import PolicyProver

extension Format {
    /// The shape of a step: a word for an event without details, or a mapping.
    static let step = Shape.either([.word(called: "step", bareEvents), .record(stepRecord)])

    /// The events that need no details.
    static let bareEvents = [
        "lock", "unlock", "reboot", "lockRemotely", "holdButtons", "removePasscode", "resetBiometry",
        "startSecurityDelay", "erase",
    ]

    /// The shape of a step that is a mapping.
    static let stepRecord = Shape.Record(
        "a step",
        [
            Shape.Field("note", .text, "a note for readers"),
            Shape.Field(
                "times", .number(1...1_000_000), "how often to do it; the expectation has to hold each time"),
            Shape.Field("expect", expectation, "the expected outcome; default: the step succeeds"),
        ],
        actions: requests + fileRequests + evaluations + events + failures, standsAlone: "expect")

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

    private static let events: [Shape.Action] = {
        let app = Shape.text
        let bare: [(String, String)] = [
            ("lock", "locks the device"), ("reboot", "restarts the device"),
            ("lockRemotely", "locks the device from afar"), ("holdButtons", "holds the buttons for power-off"),
            ("removePasscode", "removes the passcode"),
            ("resetBiometry", "removes every enrolled finger or face, as Reset Face ID does"),
            (
                "startSecurityDelay",
                "authenticates for a change that Stolen Device Protection delays; an hour begins"
            ),
            ("erase", "erases the device"),
        ]
        let unlock = Shape.either([
            .nothing,
            .record(
                Shape.Record(
                    "an unlock",
                    [
                        Shape.Field("passcode", .text, "the passcode to type"),
                        Shape.Field("finger", .text, "the finger to show"),
                        Shape.Field("face", .text, "the face to show"),
                    ])),
        ])
        return bare.map { .init(.init($0.0, .nothing, $0.1), with: [byPerson]) } + [
            .init(
                .init(
                    "unlock", unlock,
                    "types a passcode or shows a finger or face, even if the device is unlocked; default: the owner's passcode"
                ),
                with: [byPerson]),
            .init(.init("enroll", .list(.text), "enrolls fingers or faces"), with: [byPerson]),
            .init(
                .init("remove", .list(.text), "removes fingers; use `resetBiometry` for a sensor of faces or eyes"),
                with: [byPerson]),
            .init(.init("setPasscode", .text, "sets or changes the passcode"), with: [byPerson]),
            .init(
                .init(
                    "companion", Vocabulary.shape("state of a companion", Vocabulary.companions),
                    "puts the companion into this state"),
                with: [byPerson]),
            .init(.init("wait", .duration, "lets time pass")),
            .init(.init("install", app, "installs an app"), with: [byPerson]),
            .init(.init("uninstall", app, "removes an app"), with: [byPerson]),
            .init(.init("permitBiometry", app, "lets an app use Face ID"), with: [byPerson]),
            .init(.init("denyBiometry", app, "forbids an app to use Face ID"), with: [byPerson]),
            .init(
                .init("backup", .word(called: "kind of backup", ["encrypted", "unencrypted"]), "makes a backup"),
                with: [byPerson]),
            .init(
                .init(
                    "restore", .word(called: "device", ["thisDevice", "anotherDevice"]),
                    "restores the last backup onto a device, which erases it first"),
                with: [byPerson]),
            .init(.init("hold", .text, "gives the device to this person")),
        ]
    }()
}
