internal import AccessPolicy
package import DeviceModel

/// A person who holds the device: a column of the table.
package enum MatrixPerson: String, CaseIterable, Sendable {
    /// The owner of the device.
    case owner
    /// An attacker with the owner's finger or face and nothing else.
    case biometryOnly
    /// An attacker who knows the current passcode and nothing else.
    case passcodeOnly
    /// An attacker who wears the owner's companion and has nothing else.
    case companionOnly
    /// A thief who saw the passcode, and has a finger or a face of their own.
    case thief
    /// A stranger with an unknown finger and a wrong guess at the passcode.
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

    /// Returns the heading of the column.
    package func name(on sensor: SensorKind) -> String {
        switch self {
        case .biometryOnly: sensor.noun
        case .passcodeOnly: "passcode"
        case .companionOnly: "watch"
        case .owner, .thief, .stranger: rawValue
        }
    }

    package func phrase(on sensor: SensorKind) -> String {
        let noun = sensor.noun
        return switch self {
        case .owner: "the owner, with \(noun), passcode, watch and the passwords of the app and of backups"
        case .biometryOnly: "an attacker with the owner's \(noun) and nothing else"
        case .passcodeOnly: "an attacker who knows the current passcode and nothing else"
        case .companionOnly: "an attacker who wears the owner's watch and has nothing else"
        case .thief: "a thief who saw the passcode when the item was stored, and tries \(sensor.ownNoun)"
        case .stranger: "a stranger, with an unknown \(noun) and a wrong guess at the passcode"
        }
    }

    /// Returns the person; `passcode` is the one that the owner has set.
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
    /// The word for what the sensor reads.
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
    /// The passcode at the time when the item is stored.
    static let first = numbered(1)
    /// The passcode that the owner changes it to.
    static let second = numbered(2)
    static let wrong = numbered(3)

    /// Returns a guess that is different for each number below fifty.
    static func guess(_ number: UInt8) -> Self { numbered(10 + number) }

    private static func numbered(_ number: UInt8) -> Self {
        guard let code = Self(rawValue: number) else { preconditionFailure("a device tells sixty codes apart") }
        return code
    }
}
