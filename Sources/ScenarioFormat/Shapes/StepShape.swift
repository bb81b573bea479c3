internal import AccessPolicy

extension Format {
    /// A step: a word for what needs no more, or a mapping.
    static let step = Shape.either([.word(called: "step", bareEvents), .record(stepRecord)])

    /// What happens without anything more to say.
    static let bareEvents = [
        "lock", "unlock", "reboot", "lockRemotely", "holdButtons", "removePasscode", "resetBiometry",
        "startSecurityDelay", "erase",
    ]

    static let stepRecord = Shape.Record(
        "a step",
        [
            Shape.Field("note", .text, "words for whoever reads it"),
            Shape.Field(
                "times", .number(1...1_000_000), "how often it is done; what is expected is expected each time"),
            Shape.Field("expect", expectation, "what comes of it; that it succeeds unless said otherwise"),
        ],
        actions: requests + evaluations + events, standsAlone: "expect")

    private static let byWhom = Shape.Field(
        "by", .text, "who does it, or who is asked; whoever holds the device otherwise")
    private static let byPerson = Shape.Field(
        "by", .text, "the person who does it, as far as they can; otherwise it happens whoever is there")

    private static let asking = [
        byWhom,
        Shape.Field("app", .text, "which app asks"),
        Shape.Field(
            "context", .text, "the name of an LAContext, which keeps what is proved; a new one for each call otherwise"),
        Shape.Field(
            "interaction", Vocabulary.shape("interaction", Vocabulary.interactions), "whether people may be asked"),
        Shape.Field("reuse", .duration, "touchIDAuthenticationAllowableReuseDuration"),
        Shape.Field("applicationPassword", .text, "the application password that the app sets in advance"),
        Shape.Field("meanwhile", .list(.step), "steps while the first prompt is shown"),
    ]

    /// What is asked of items.
    private static let requests: [Shape.Action] = [
        .init(.init("add", .text, "SecItemAdd: stores the item"), with: asking + changes),
        .init(.init("read", target, "SecItemCopyMatching with kSecReturnData"), with: asking),
        .init(.init("attributes", target, "SecItemCopyMatching with kSecReturnAttributes"), with: asking),
        .init(.init("reference", target, "SecItemCopyMatching with kSecReturnPersistentRef"), with: asking),
        .init(.init("exists", target, "SecItemCopyMatching without a return key"), with: asking),
        .init(
            .init("inventory", .text, "name and demand, for the owner's own list; Apple has no such call"), with: asking
        ),
        .init(.init("update", target, "SecItemUpdate"), with: asking + changes + [set]),
        .init(.init("delete", target, "SecItemDelete"), with: asking),
        .init(.init("sign", .text, "SecKeyCreateSignature"), with: asking),
        .init(.init("agree", .text, "SecKeyCopyKeyExchangeResult"), with: asking),
        .init(.init("decapsulate", .text, "SecKeyCreateDecryptedData"), with: asking),
    ]

    private static let changes =
        [
            Shape.Field("accessible", demand[0].shape, "another class than the item has"),
            Shape.Field("require", demand[1].shape, "other flags than the item has"),
            Shape.Field("policy", .text, "another demand by name, instead of accessible and require"),
            Shape.Field("secret", .text, "another secret, or none"),
        ]
    private static let set = Shape.Field(
        "set", .record(Shape.Record("a change", attributes)), "attributes that become others")

    /// An item by name, or a query.
    static let target = Shape.either([
        .text,
        .record(
            Shape.Record(
                "a query",
                [itemClass] + attributes + [
                    Shape.Field("accessible", demand[0].shape, "kSecAttrAccessible; any unless said otherwise"),
                    Shape.Field("group", .text, "kSecAttrAccessGroup"),
                    Shape.Field(
                        "synchronizable", .word(called: "choice", ["true", "false", "any"]),
                        "kSecAttrSynchronizable; false unless said otherwise"),
                    Shape.Field(
                        "limit", .either([.word(called: "limit", ["one", "all"]), .number(0...1000)]), "kSecMatchLimit"),
                    Shape.Field(
                        "return", .list(.word(called: "part", ["data", "attributes", "reference"])), "kSecReturn…"),
                ])),
    ])

    /// What is proved in a context.
    private static let evaluations: [Shape.Action] = {
        let subject = Shape.either([
            Vocabulary.shape("policy", Vocabulary.policies),
            .record(
                Shape.Record(
                    "an access control",
                    demandOrName + [
                        Shape.Field(
                            "operation", Vocabulary.shape("operation", Vocabulary.operations),
                            "what for; useItem unless said otherwise")
                    ])),
        ])
        let fallback = Shape.Field("fallbackTitle", .text, "localizedFallbackTitle; an empty one hides the fallback")
        return [
            .init(
                .init("evaluate", subject, "LAContext.evaluatePolicy, or evaluateAccessControl"),
                with: asking + [fallback]),
            .init(.init("canEvaluate", subject, "LAContext.canEvaluatePolicy"), with: asking),
            .init(.init("invalidate", .text, "LAContext.invalidate")),
            .init(.init("create", .record(policy), "SecAccessControlCreateWithFlags")),
        ]
    }()

    /// What happens to the device.
    private static let events: [Shape.Action] = {
        let app = Shape.text
        let bare: [(String, String)] = [
            ("lock", "the device is locked"), ("reboot", "it is switched off and on"),
            ("lockRemotely", "it is locked from afar"), ("holdButtons", "the buttons for power-off are held"),
            ("removePasscode", "the passcode is removed"),
            ("resetBiometry", "everyone is removed from the sensor, as Reset Face ID does"),
            (
                "startSecurityDelay",
                "the first biometric authentication for a change that Stolen Device Protection delays: an hour begins"
            ),
            ("erase", "the device is erased"),
        ]
        let unlock = Shape.either([
            .nothing,
            .record(
                Shape.Record(
                    "an unlock",
                    [
                        Shape.Field("passcode", .text, "the passcode that is typed"),
                        Shape.Field("finger", .text, "the finger that is shown"),
                        Shape.Field("face", .text, "the face that is shown"),
                    ])),
        ])
        return bare.map { .init(.init($0.0, .nothing, $0.1), with: [byPerson]) } + [
            .init(
                .init(
                    "unlock", unlock,
                    "a passcode is typed or a finger shown, also on an unlocked device; the owner's passcode unless said otherwise"
                ),
                with: [byPerson]),
            .init(.init("enroll", .list(.text), "fingers or faces are enrolled"), with: [byPerson]),
            .init(
                .init("remove", .list(.text), "fingers are removed; a sensor for faces or eyes is reset instead"),
                with: [byPerson]),
            .init(.init("setPasscode", .text, "the passcode is set, or becomes another"), with: [byPerson]),
            .init(
                .init(
                    "companion", Vocabulary.shape("place of a companion", Vocabulary.companions),
                    "the companion is there"),
                with: [byPerson]),
            .init(.init("wait", .duration, "time passes")),
            .init(.init("install", app, "an app is installed"), with: [byPerson]),
            .init(.init("uninstall", app, "an app is removed"), with: [byPerson]),
            .init(.init("permitBiometry", app, "an app may use Face ID"), with: [byPerson]),
            .init(.init("denyBiometry", app, "an app may not use Face ID"), with: [byPerson]),
            .init(
                .init("backup", .word(called: "kind of backup", ["encrypted", "unencrypted"]), "a backup is made"),
                with: [byPerson]),
            .init(
                .init(
                    "restore", .word(called: "device", ["thisDevice", "anotherDevice"]),
                    "the backup is put onto a device, which erases it first"),
                with: [byPerson]),
            .init(.init("hold", .text, "from now on this person holds the device")),
        ]
    }()
}
