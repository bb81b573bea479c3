internal import AccessPolicy
package import DeviceModel

/// Who holds the device: a column of the table.
package enum MatrixPerson: String, CaseIterable, Sendable {
    /// Whose device it is.
    case owner
    /// Somebody with the owner's finger or face and nothing else.
    case biometryOnly
    /// Somebody who knows the present passcode and nothing else.
    case passcodeOnly
    /// Somebody who wears the owner's companion and nothing else.
    case companionOnly
    /// Somebody who has seen the passcode, and has a finger or a face of their own.
    case thief
    /// Somebody who can prove nothing, and tries.
    case stranger

    var number: UInt8 {
        switch self {
        case .owner: 0
        case .biometryOnly: 1
        case .passcodeOnly: 2
        case .companionOnly: 3
        case .thief: 4
        case .stranger: 5
        }
    }

    /// What their column is called.
    package func name(on sensor: SensorKind) -> String {
        switch self {
        case .biometryOnly: sensor.noun
        case .passcodeOnly: "passcode"
        case .companionOnly: "watch"
        case .owner, .thief, .stranger: rawValue
        }
    }

    /// Who they are, in a phrase.
    package func phrase(on sensor: SensorKind) -> String {
        let noun = sensor.noun
        return switch self {
        case .owner: "the owner, with \(noun), passcode, watch and every password of the app's and of backups"
        case .biometryOnly: "somebody with the owner's \(noun) and nothing else"
        case .passcodeOnly: "somebody who knows the present passcode and nothing else"
        case .companionOnly: "somebody who wears the owner's watch and nothing else"
        case .thief: "somebody who saw the passcode when the item was stored, and tries \(sensor.ownNoun)"
        case .stranger: "somebody who can prove nothing: an unknown \(noun), and a wrong guess at the passcode"
        }
    }

    /// The person, where `passcode` is what the owner has set.
    func person(knowing passcode: Passcode) -> Person {
        switch self {
        case .owner:
            Person(
                fingers: [.owners, .ownersOther], passcode: passcode, applicationPassword: MatrixStage.rightPassword,
                wearsCompanion: true, knowsBackupPassword: true)
        case .biometryOnly: Person(fingers: [.owners])
        case .passcodeOnly: Person(passcode: passcode)
        case .companionOnly: Person(wearsCompanion: true)
        case .thief: Person(fingers: [.thiefs], passcode: .first)
        case .stranger: Person(fingers: [.unknown], passcode: .wrong)
        }
    }
}

extension SensorKind {
    /// What is shown to it.
    package var noun: String {
        switch self {
        case .none, .touchID: "finger"
        case .faceID: "face"
        case .opticID: "eyes"
        }
    }

    fileprivate var ownNoun: String {
        switch self {
        case .none, .touchID: "a finger of their own"
        case .faceID: "their own face"
        case .opticID: "their own eyes"
        }
    }
}

extension Finger {
    static let owners = numbered(0)
    static let ownersOther = numbered(1)
    static let thiefs = numbered(2)

    private static func numbered(_ number: UInt8) -> Self {
        guard let finger = Self(rawValue: number) else { preconditionFailure("a sensor tells more than three apart") }
        return finger
    }
}

extension Passcode {
    /// The passcode when the item is stored.
    static let first = numbered(1)
    /// What the owner changes it to.
    static let second = numbered(2)
    /// A guess.
    static let wrong = numbered(3)

    /// A guess that nobody has made yet, for each number below fifty.
    static func guess(_ number: UInt8) -> Self { numbered(10 + number) }

    private static func numbered(_ number: UInt8) -> Self {
        guard let code = Self(rawValue: number) else { preconditionFailure("a device tells sixty codes apart") }
        return code
    }
}
