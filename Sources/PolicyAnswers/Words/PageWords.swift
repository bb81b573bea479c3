internal import AccessPolicy
internal import DeviceModel
internal import PlainText
package import PolicyProver
internal import PolicyWords

/// The words that requests may use. Every list is the one that the command and scenario files use.
enum PageWords {
    /// All words with their meaning.
    static var answer: JSON {
        .object([
            "classes": list(Accessibility.allCases.map { ($0.name, $0.about) }),
            "flags": list(AccessControlFlag.allCases.map { ($0.name, $0.about) }),
            "devices": .array(
                DevicePreset.all.map { preset in
                    .object([
                        "name": .string(preset.name), "says": .string(preset.about),
                        "noStolenDeviceProtection": preset.lackOfStolenDeviceProtection.map { .string($0) } ?? .null,
                        "hasPasscode": .bool(preset.passcode != nil),
                    ])
                }),
            "companions": list(CompanionState.allCases.map { ($0.name, $0.about) }),
            "aims": list(Aim.ofItems.map { ($0.rawValue, $0.about) }),
            "profiles": .array(
                Profile.all.map { profile in
                    .object([
                        "name": .string(profile.name), "says": .string(profile.summary),
                        "isOwner": .bool(profile.isOwner),
                    ])
                }),
            "steps": list(Steps.all.map { ($0.word, $0.imperative) }),
            "claims": list(ClaimKind.ofOneDevice.map { ($0.rawValue, $0.summary) }),
            "assumptions": .array(
                Assumption.allCases.map { assumption in
                    .object([
                        "name": .string(assumption.rawValue), "says": .string(assumption.about),
                        "words": .array(assumption.words.map { .string($0) }),
                        "meanings": .array(
                            assumption.words.map { .string(assumption.meaning(of: $0).statement) }),
                    ])
                }),
        ])
    }

    private static func list(_ words: [(name: String, says: String)]) -> JSON {
        .array(words.map { .object(["name": .string($0.name), "says": .string($0.says)]) })
    }
}

extension Accessibility {
    /// The class in one sentence.
    fileprivate var about: String {
        let moments =
            switch keyClass {
            case .whenPasscodeSet: "while unlocked, and only as long as a passcode is set"
            case .whenUnlocked: "while unlocked"
            case .afterFirstUnlock: "from the first unlock after a restart"
            case .always: "always; deprecated by Apple"
            }
        return isThisDeviceOnly ? "\(moments); never on another device" : moments
    }
}

extension AccessControlFlag {
    /// The flag in one sentence.
    fileprivate var about: String {
        switch self {
        case .userPresence: "biometry, with the passcode as the fallback"
        case .biometryAny: "any finger or face that is enrolled at the time of use"
        case .biometryCurrentSet: "the fingers or faces that are enrolled now; a change closes this way for good"
        case .devicePasscode: "the passcode; biometry does not satisfy it"
        case .companion: "a paired, unlocked watch nearby"
        case .or: "one of the required factors is enough"
        case .and: "all required factors are needed, as without this flag"
        case .privateKeyUsage: "the factors guard the use of a private key"
        case .applicationPassword: "a password of the app, besides every other factor"
        }
    }
}

extension Aim {
    /// The aim in a few words.
    package var about: String {
        switch self {
        case .read: "read the secret"
        case .use: "use the private key"
        case .readNext: "read what its owner stores next on another device"
        case .list: "see its attributes"
        case .overwrite: "change it, or put another in its place"
        case .destroy: "delete it, or make it useless"
        case .readFile: "read the file"
        case .createFile: "create the file"
        case .appendFile: "write to the file"
        }
    }
}

extension CompanionState {
    /// The state in a few words.
    fileprivate var about: String {
        switch self {
        case .notPaired: "no watch is paired"
        case .away: "the watch is paired and not nearby"
        case .locked: "the watch is nearby and locked"
        case .ready: "the owner wears the watch, unlocked"
        }
    }
}

extension DevicePreset {
    /// The device in a few words.
    fileprivate var about: String {
        let kind = sensor.productName ?? "no sensor"
        return passcode == nil ? "\(kind), no passcode, nothing enrolled" : "\(kind), with a passcode"
    }
}
