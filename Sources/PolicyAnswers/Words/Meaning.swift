package import AccessPolicy
package import DeviceModel
internal import PlainText
internal import PolicyProver

extension Subject {
    /// The meaning of the policy in plain words.
    var meaning: Meaning { Meaning(control, isKey: isKey, on: setting.settings) }
}

/// The meaning of an access policy on a device, in plain words.
package struct Meaning {
    private let control: AccessControl
    private let isKey: Bool
    private let settings: DeviceSettings

    /// Creates the meaning of `control`, for a private key or any other item, on a device with these settings.
    package init(_ control: AccessControl, isKey: Bool, on settings: DeviceSettings) {
        self.control = control
        self.isKey = isKey
        self.settings = settings
    }

    package var sentences: [String] {
        [moments] + factors + biometry + [place, "Deleting it asks for nothing, as always."]
    }

    private var noun: String { isKey ? "key" : "item" }
    private var verb: String { isKey ? "use" : "read" }
    private var ways: Ways { control.ways(settings.fidelity) }

    /// True if every way shows a prompt. An app supplies the application password itself.
    private var needsPrompt: Bool { ways.allSatisfy { !$0.subtracting([.applicationPassword]).isEmpty } }

    /// The moments at which the class key is available.
    private var moments: String {
        let grace = settings.lockGrace
        let lasting = grace > .zero && !needsPrompt ? ", and for \(grace.written) after a lock" : ""
        let hidden = needsPrompt ? " But a locked device shows no prompt, so in effect it has to be unlocked." : ""
        return switch control.protection.keyClass {
        case .whenPasscodeSet:
            "The \(noun) opens only while the device is unlocked\(lasting). If the owner removes the passcode, "
                + "it is destroyed."
        case .whenUnlocked: "The \(noun) opens only while the device is unlocked\(lasting)."
        case .afterFirstUnlock:
            "The \(noun) opens once the device has been unlocked after a restart, also while it is locked.\(hidden)"
        case .always: "The \(noun) opens at any time, also before the first unlock.\(hidden)"
        }
    }

    /// The factors that each use takes.
    private var factors: [String] {
        if !control.isProtected { return ["It asks for nothing: any app of its access group can \(verb) it."] }
        let ways = ways.map { way in
            way.isEmpty ? "nothing" : enumerated(way.map { $0.words(on: settings.sensor) }, "and")
        }
        return ["To \(verb) it takes \(ways.joined(separator: ", or "))."]
            + (control.needsApplicationPassword
                ? ["If you forget the application password, you lose the \(noun)."] : [])
    }

    /// The enrollments that count, and the consequence of a change.
    private var biometry: [String] {
        let noun = settings.sensor.enrollment
        return switch control.guarding.biometry {
        case .currentSet where ways.allSatisfy { $0.contains(.biometry) }:
            ["If \(noun) is added or removed, the \(self.noun) is invalidated for good, for the owner too."]
        case .currentSet: ["If \(noun) is added or removed, biometry no longer opens it. The other way stays."]
        case .anyOfSensor:
            ["It also opens to \(noun) that is enrolled later, and the passcode is enough to enroll one."]
        case .unbound: []
        }
    }

    /// The places that the item can move to, as the model moves it.
    private var place: String {
        let item = Item(control, isKey: isKey)
        return switch item.travel(inEncryptedBackup: true, settings.fidelity) {
        case .anywhere: "An encrypted backup carries it to another device; a backup without a password does not."
        case .sameDevice: "It never leaves this device: a backup brings it back to this one only.\(sync)"
        case .never: "It never leaves this device: no backup contains it.\(sync)"
        }
    }

    /// The sentence about sync, if the class alone would let the item sync.
    private var sync: String {
        control.hasFlags && !control.protection.isThisDeviceOnly ? " It never syncs, because it has flags." : ""
    }
}

extension Factor {
    /// The factor in the sentence "To read it takes …".
    fileprivate func words(on sensor: SensorKind) -> String {
        switch self {
        case .biometry:
            switch sensor {
            case .none: "biometry"
            case .touchID: "an enrolled finger"
            case .faceID: "the enrolled face"
            case .opticID: "the enrolled eyes"
            }
        case .companion: "a confirmation on the owner's watch"
        case .passcode: "the passcode"
        case .applicationPassword: "the application password"
        }
    }
}

extension SensorKind {
    /// One enrollment of the sensor, with its article.
    fileprivate var enrollment: String {
        switch self {
        case .none: "an enrollment"
        case .touchID: "a finger"
        case .faceID: "a face"
        case .opticID: "a pair of eyes"
        }
    }
}
