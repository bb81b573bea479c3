public import AccessPolicy

/// Somebody who may hold the device: what they can prove, and whether they care to.
public struct Person: Hashable, Sendable {
    /// Their fingers, or face.
    public var fingers: Fingers
    /// The passcode they type when asked: right, wrong, or none that they know.
    public var passcode: Passcode?
    /// The application password they type when asked; zero for none.
    public var applicationPassword: UInt8
    /// True if they wear the companion, and so can confirm on it.
    public var wearsCompanion: Bool
    /// True if they know the password of an encrypted backup.
    public var knowsBackupPassword: Bool
    /// True if they dismiss every sheet.
    public var dismisses: Bool
    /// True if they let an app use biometry when it asks for the first time.
    public var permitsBiometry: Bool

    /// Somebody with these fingers who knows this passcode.
    public init(
        fingers: Fingers = [], passcode: Passcode? = nil, applicationPassword: UInt8 = 0, wearsCompanion: Bool = false,
        knowsBackupPassword: Bool = false, dismisses: Bool = false, permitsBiometry: Bool = true
    ) {
        self.fingers = fingers
        self.passcode = passcode
        self.applicationPassword = applicationPassword
        self.wearsCompanion = wearsCompanion
        self.knowsBackupPassword = knowsBackupPassword
        self.dismisses = dismisses
        self.permitsBiometry = permitsBiometry
    }

    /// Nobody: every sheet is dismissed.
    public static let absent = Person(dismisses: true)

    /// The owner of `device` as it is now: everyone enrolled, the passcode, the companion and the backup's password.
    public static func owner(of device: Device) -> Person {
        Person(
            fingers: device.enrolled, passcode: device.passcode, wearsCompanion: device.companion.isPaired,
            knowsBackupPassword: true)
    }

    /// The finger they would show to a sensor that knows `enrolled`: one of theirs that it knows, else their first.
    public func finger(for enrolled: Fingers) -> Finger? {
        fingers.intersection(enrolled).first { _ in true } ?? fingers.first { _ in true }
    }

    /// Returns what they do when a sheet asks for `factor`.
    ///
    /// Without the factor they take the fallback. Where one appears after a failed match only, and they have something to
    /// fall back on, they show a finger that no sensor knows. Else they dismiss the sheet.
    public func answer(to factor: Factor, wayOut: Sheet.WayOut, enrolled: Fingers) -> Answer {
        if dismisses { return .cancel }
        let answer: Answer? =
            switch factor {
            case .biometry: finger(for: enrolled).map(Answer.finger)
            case .companion: wearsCompanion ? .confirm : nil
            case .passcode: passcode.map(Answer.passcode)
            case .applicationPassword: applicationPassword == 0 ? nil : .applicationPassword(applicationPassword)
            }
        if let answer { return answer }
        switch wayOut {
        case .none: return .cancel
        case .afterMisses: return passcode != nil || wearsCompanion ? .finger(.unknown) : .cancel
        case .offered: return .fallback
        }
    }
}

/// What somebody does at a sheet.
public enum Answer: Hashable, Sendable {
    /// Shows a finger or a face.
    case finger(Finger)
    /// Confirms on the companion.
    case confirm
    /// Types a passcode.
    case passcode(Passcode)
    /// Types an application password.
    case applicationPassword(UInt8)
    /// Takes the fallback.
    case fallback
    /// Dismisses the sheet.
    case cancel
}
