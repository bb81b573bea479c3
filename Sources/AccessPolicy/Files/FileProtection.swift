/// A protection class of a file, which says when the file can be created, opened and used (semantics 8.1).
///
/// The raw values are the numbers of the classes in Apple's kernel. A class without keys of its own shares those of the
/// items: see ``keyClass``.
public enum FileProtection: UInt8, CaseIterable, Sendable {
    /// Class A: available while the device is unlocked.
    case complete = 1
    /// Class B: available while the device is unlocked. A file that is open stays usable after a lock, and a locked
    /// device can create new files.
    case completeUnlessOpen = 2
    /// Class C: available from the first unlock until the device restarts. The default for apps.
    case completeUntilFirstUserAuthentication = 3
    /// Class D: always available.
    case none = 4

    /// The class of a new file for which neither the app nor the folder names one.
    public static let usual = completeUntilFirstUserAuthentication

    /// The class key that opens a file of this class.
    public var keyClass: KeyClass {
        switch self {
        case .complete, .completeUnlessOpen: .whenUnlocked
        case .completeUntilFirstUserAuthentication: .afterFirstUnlock
        case .none: .always
        }
    }

    /// True if a file that is open stays usable after a lock.
    public var isHeldOpen: Bool { self == .completeUnlessOpen }

    /// The letter of the class in Apple's documentation, from A to D.
    public var letter: String {
        switch self {
        case .complete: "A"
        case .completeUnlessOpen: "B"
        case .completeUntilFirstUserAuthentication: "C"
        case .none: "D"
        }
    }
}

extension FileProtection: NamedChoice, CustomStringConvertible {
    /// The name of the class: Apple's constant `FileProtectionType`, such as `completeUnlessOpen`.
    public var name: String {
        switch self {
        case .complete: "complete"
        case .completeUnlessOpen: "completeUnlessOpen"
        case .completeUntilFirstUserAuthentication: "completeUntilFirstUserAuthentication"
        case .none: "none"
        }
    }

    /// The name of the class.
    public var description: String { name }
}
