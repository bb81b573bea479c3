internal import AccessPolicy
internal import DeviceModel
internal import SecretVault

/// The format of scenario files: every key, with its value and its meaning.
package enum Format {
    /// The shape of a document.
    package static let scenario = Shape.record(
        Shape.Record(
            "a scenario",
            [
                Shape.Field("name", .text, "the name, as a sentence that the scenario tests"),
                Shape.Field("about", .text, "a longer description for readers"),
                Shape.Field(
                    "include", .list(.text), "files in this folder or below it whose declarations are used too"),
                Shape.Field("device", device, "the device: a preset, or its differences from the default one"),
                Shape.Field(
                    "devices", .named(device),
                    "up to five devices of one account instead of `device`, all in its circle; a step that names none is about the first, which has the items"
                ),
                Shape.Field("fidelity", .record(fidelity), "the choices for disputed points"),
                Shape.Field(
                    "apps", .named(orNothing(app)), "the apps; a step that names none uses the first"),
                Shape.Field(
                    "people", .named(.record(person)),
                    "the people who may hold the device, besides owner, stranger and absent"),
                Shape.Field("policies", .named(.record(policy)), "access policies by name"),
                Shape.Field("items", .named(orNothing(item)), "the items in the keychain"),
                Shape.Field("files", .named(file), "the files of the apps, each with its protection class"),
                Shape.Field(
                    "for each", .either([.list(.named(.anything)), .named(.list(.anything))]),
                    "rows, or columns to combine; the scenario runs once for each row, with $NAME replaced by its cell"),
                Shape.Field(
                    "prompt budget", .number(0...1000), "the most prompts that all steps together may show"),
                Shape.Field("steps", .list(step), "what happens, in order, with what you expect"),
                Shape.Field(
                    "attackers", .named(attacker), "attackers for claims, besides the built-in ones"),
                Shape.Field(
                    "claims", .list(claim),
                    "what must hold of the items against every possible attack, starting before any step; `latchkey prove` proves it"
                ),
            ]))

    static let device = Shape.either([
        .word(called: "device", DevicePreset.all.map(\.name)),
        .record(
            Shape.Record(
                "a device",
                [
                    Shape.Field(
                        "preset", .word(called: "device", DevicePreset.all.map(\.name)),
                        "the preset that the other keys change"),
                    Shape.Field("biometry", Vocabulary.shape("sensor", Vocabulary.sensors), "its biometric sensor"),
                    Shape.Field("passcode", .text, "its passcode, or none"),
                    Shape.Field("enrolled", .list(.text), "the enrolled fingers or faces"),
                    Shape.Field(
                        "companion", Vocabulary.shape("state of a companion", Vocabulary.companions),
                        "the state of its companion"),
                    Shape.Field(
                        "lockGrace", .duration,
                        "how long items of the \"when unlocked\" classes stay open after a lock; default: ten seconds"),
                    Shape.Field(
                        "attemptEnd", Vocabulary.shape("end", Vocabulary.attemptEnds),
                        "what the device does after the last wrong passcode"),
                    Shape.Field(
                        "stolenDeviceProtection", .truth,
                        "whether Stolen Device Protection is on and the iPhone is away from familiar places; default: false"
                    ),
                ])),
    ])

    static let fidelity = Shape.Record(
        "a fidelity",
        FieldNames(of: Fidelity()).all.map {
            Shape.Field($0.name, .word(called: "choice for \($0.name)", $0.choices.map(\.name)), $0.says)
        })

    static let app = Shape.Record(
        "an app",
        [
            Shape.Field(
                "groups", .list(.text), "its access groups, with the one for new items first; default: its name"
            ),
            Shape.Field("entitled", .truth, "whether it has any entitlement; without one, it has no access group"),
            Shape.Field(
                "faceIDPermission", Vocabulary.shape("permission", Vocabulary.permissions),
                "whether the user lets it use Face ID"),
            Shape.Field("declaresFaceIDUsage", .truth, "whether it has NSFaceIDUsageDescription"),
        ])

    static let person = Shape.Record(
        "a person",
        [
            Shape.Field("fingers", .list(.text), "their fingers"),
            Shape.Field("faces", .list(.text), "their face or eyes, for a sensor of that kind"),
            Shape.Field(
                "passcode", .list(.text),
                "the passcodes that they know; they type the right one, or the first if none is right"
            ),
            Shape.Field("applicationPassword", .text, "the application password that they type"),
            Shape.Field("wearsCompanion", .truth, "whether they can confirm on the companion"),
            Shape.Field(
                "ownCompanion", .truth,
                "whether they have a companion of their own; once they have paired it, only they wear it"
            ),
            Shape.Field("permitsBiometry", .truth, "whether they let an app use Face ID"),
            Shape.Field("prefersFallback", .truth, "whether they choose the fallback button wherever there is one"),
            Shape.Field("dismisses", .truth, "whether they dismiss every prompt"),
            Shape.Field(
                "guesses", .truth,
                "whether they answer prompts with a wrong finger or passcode if they have no right one; otherwise they choose the fallback or dismiss the prompt; default: true"
            ),
            Shape.Field("knowsBackupPassword", .truth, "whether they can open an encrypted backup"),
        ])

    /// The keys of an access policy.
    static let demand = [
        Shape.Field(
            "accessible", Vocabulary.shape("accessibility", Vocabulary.accessibilities),
            "kSecAttrAccessible…, or the protection of the access control; default: whenUnlocked"),
        Shape.Field(
            "require", .list(.flags),
            "the flags of an access control; without this key there is no access control, and with `none` it has no flags"
        ),
    ]

    static let policy = Shape.Record("a policy", demand)

    /// The keys of an access policy, which can also be named.
    static let demandOrName =
        demand + [Shape.Field("policy", .text, "a policy by name, instead of accessible and require")]

    static let attributes = attributes { $0.says }

    private static func attributes(_ says: (Vocabulary.Attribute) -> String) -> [Shape.Field] {
        Vocabulary.attributes.map { Shape.Field($0.key, .text, says($0)) }
            + [Shape.Field("port", .number(0...65535), "kSecAttrPort, of an internet password")]
    }

    /// The attributes of an item. Those that identify it default to its name.
    private static let attributesOfItem = attributes {
        [AttributeName.account, .applicationTag].contains($0.name) ? "\($0.says); default: the item's name" : $0.says
    }

    static let itemClass = Shape.Field(
        "class", Vocabulary.shape("class", Vocabulary.itemClasses), "kSecClass; default: genericPassword")

    static let item = Shape.Record(
        "an item",
        [itemClass] + demandOrName + attributesOfItem + [
            Shape.Field("group", .text, "its access group; default: the first of its app"),
            Shape.Field("app", .text, "the app that stores it"),
            Shape.Field("synchronizable", .truth, "whether it asks to sync through iCloud Keychain"),
            Shape.Field("secret", .text, "its secret, or none; default: one that is made up"),
            Shape.Field("applicationPassword", .text, "the application password that it is stored under"),
            Shape.Field("stored", .truth, "whether it exists at the beginning; default: true"),
        ])

    /// Returns the shape of a mapping that may be left empty.
    static func orNothing(_ record: Shape.Record) -> Shape { .either([.nothing, .record(record)]) }
}
