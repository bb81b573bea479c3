internal import AccessPolicy
internal import Latchkey

/// What a scenario file may say.
package enum Format {
    /// A document of a scenario file.
    package static let scenario = Shape.record(
        Shape.Record(
            "a scenario",
            [
                Shape.Field("name", .text, "the sentence that it proves"),
                Shape.Field("about", .text, "more words, for whoever reads it"),
                Shape.Field("include", .list(.text), "files of this folder whose declarations are meant as well"),
                Shape.Field("device", device, "the device: a preset, or what differs from the usual one"),
                Shape.Field("fidelity", .record(fidelity), "how disputed points are settled"),
                Shape.Field(
                    "apps", .named(orNothing(app)), "the apps, the first of which is meant where none is named"),
                Shape.Field(
                    "people", .named(.record(person)), "who may hold the device besides owner, stranger and absent"),
                Shape.Field("policies", .named(.record(policy)), "demands by name"),
                Shape.Field("items", .named(orNothing(item)), "what is stored"),
                Shape.Field(
                    "for each", .either([.list(.named(.anything)), .named(.list(.anything))]),
                    "rows, or columns that are combined: the scenario runs once for each, with $NAME replaced"),
                Shape.Field(
                    "prompt budget", .number(0...1000), "how often people may be asked for a proof in all the steps"),
                Shape.Field("steps", .list(step), "what happens, and what is expected of it"),
                Shape.Field(
                    "attackers", .named(attacker), "who may come to hold the device, besides those whom claims know"),
                Shape.Field(
                    "claims", .list(claim),
                    "what holds of the items whatever anybody does, before any step: `latchkey prove` proves it"),
            ]))

    static let device = Shape.either([
        .word(called: "device", DevicePreset.all.map(\.name)),
        .record(
            Shape.Record(
                "a device",
                [
                    Shape.Field(
                        "preset", .word(called: "device", DevicePreset.all.map(\.name)), "what it is like otherwise"),
                    Shape.Field("biometry", Vocabulary.shape("sensor", Vocabulary.sensors), "its sensor"),
                    Shape.Field("passcode", .text, "its passcode, or none"),
                    Shape.Field("enrolled", .list(.text), "the fingers or faces that are enrolled"),
                    Shape.Field(
                        "companion", Vocabulary.shape("place of a companion", Vocabulary.companions),
                        "where its companion is"),
                    Shape.Field(
                        "lockGrace", .duration,
                        "how long \"when unlocked\" items stay open after a lock; ten seconds unless said otherwise"),
                    Shape.Field(
                        "attemptEnd", Vocabulary.shape("end", Vocabulary.attemptEnds),
                        "what follows the last wrong passcode"),
                    Shape.Field(
                        "stolenDeviceProtection", .truth,
                        "whether the iPhone has Stolen Device Protection on, away from familiar places; false unless said otherwise"
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
                "groups", .list(.text), "its access groups, that for new items in front; its name unless said otherwise"
            ),
            Shape.Field("entitled", .truth, "whether it has any entitlement: without one it has no group"),
            Shape.Field(
                "faceIDPermission", Vocabulary.shape("permission", Vocabulary.permissions),
                "whether it may use Face ID"),
            Shape.Field("declaresFaceIDUsage", .truth, "whether it has NSFaceIDUsageDescription"),
        ])

    static let person = Shape.Record(
        "a person",
        [
            Shape.Field("fingers", .list(.text), "their fingers"),
            Shape.Field("faces", .list(.text), "their face or eyes, for a sensor of that kind"),
            Shape.Field(
                "passcode", .list(.text),
                "the passcodes that they know: they type the one that is right, or else the first"
            ),
            Shape.Field("applicationPassword", .text, "the application password that they type"),
            Shape.Field("wearsCompanion", .truth, "whether they can confirm on the companion"),
            Shape.Field(
                "ownCompanion", .truth,
                "whether they have a companion of their own: once they have paired it, they wear it, and nobody else does"
            ),
            Shape.Field("permitsBiometry", .truth, "whether they let an app use Face ID"),
            Shape.Field("prefersFallback", .truth, "whether they take the fallback wherever one is offered"),
            Shape.Field("dismisses", .truth, "whether they dismiss every prompt"),
            Shape.Field(
                "guesses", .truth,
                "whether they answer prompts with a finger or passcode that is not right, true unless said otherwise: who does not, takes the fallback or dismisses them"
            ),
            Shape.Field("knowsBackupPassword", .truth, "whether they can open an encrypted backup"),
        ])

    static let demand = [
        Shape.Field(
            "accessible", Vocabulary.shape("accessibility", Vocabulary.accessibilities),
            "kSecAttrAccessible…, or the protection of the access control; whenUnlocked unless said otherwise"),
        Shape.Field(
            "require", .list(.flags),
            "the flags of an access control; without it there is none, with none it has no flags"),
    ]

    static let policy = Shape.Record("a policy", demand)

    static let demandOrName =
        demand + [Shape.Field("policy", .text, "a demand by name, instead of accessible and require")]

    static let attributes = attributes { $0.says }

    private static func attributes(_ says: ((key: String, name: String, says: String)) -> String) -> [Shape.Field] {
        Vocabulary.attributes.map { Shape.Field($0.key, .text, says($0)) }
            + [Shape.Field("port", .number(0...65535), "kSecAttrPort, of an internet password")]
    }

    /// The attributes that an item is told apart by are made of its name.
    private static let attributesOfItem = attributes {
        ["acct", "atag"].contains($0.name) ? "\($0.says); the item's name unless said otherwise" : $0.says
    }

    static let itemClass = Shape.Field(
        "class", Vocabulary.shape("class", Vocabulary.itemClasses), "kSecClass; genericPassword unless said otherwise")

    static let item = Shape.Record(
        "an item",
        [itemClass] + demandOrName + attributesOfItem + [
            Shape.Field("group", .text, "its access group; the first of its app's unless said otherwise"),
            Shape.Field("app", .text, "the app that stores it"),
            Shape.Field("synchronizable", .truth, "whether it asks to travel through iCloud Keychain"),
            Shape.Field("secret", .text, "its secret, or none; one is made up unless said otherwise"),
            Shape.Field("applicationPassword", .text, "the application password that it is stored under"),
            Shape.Field("stored", .truth, "whether it is there at the beginning: true unless said otherwise"),
        ])

    static func orNothing(_ record: Shape.Record) -> Shape { .either([.nothing, .record(record)]) }
}
