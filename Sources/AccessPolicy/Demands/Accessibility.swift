/// When an item may be opened at all: Apple's seven protection classes, by Apple's own values of `kSecAttrAccessible`.
public enum Accessibility: String, CaseIterable, Sendable {
    /// While unlocked, on this device, and only as long as a passcode is set. Destroyed when the passcode is removed.
    case whenPasscodeSetThisDeviceOnly = "akpu"
    /// While unlocked, on this device.
    case whenUnlockedThisDeviceOnly = "aku"
    /// While unlocked. Apple's default for passwords and keys.
    case whenUnlocked = "ak"
    /// From the first unlock after a start until the next start, on this device.
    case afterFirstUnlockThisDeviceOnly = "cku"
    /// From the first unlock after a start until the next start.
    case afterFirstUnlock = "ck"
    /// Always, on this device. Deprecated by Apple.
    case alwaysThisDeviceOnly = "dku"
    /// Always. Deprecated by Apple.
    case always = "dk"

    /// The key that has to be open for an item of this class.
    public var keyClass: KeyClass {
        switch self {
        case .whenPasscodeSetThisDeviceOnly: .whenPasscodeSet
        case .whenUnlockedThisDeviceOnly, .whenUnlocked: .whenUnlocked
        case .afterFirstUnlockThisDeviceOnly, .afterFirstUnlock: .afterFirstUnlock
        case .alwaysThisDeviceOnly, .always: .always
        }
    }

    /// True if an item of this class can be opened on the device it was made on and nowhere else.
    public var isThisDeviceOnly: Bool {
        switch self {
        case .whenPasscodeSetThisDeviceOnly, .whenUnlockedThisDeviceOnly, .afterFirstUnlockThisDeviceOnly,
            .alwaysThisDeviceOnly:
            true
        case .whenUnlocked, .afterFirstUnlock, .always: false
        }
    }

    /// The name people write, as in `kSecAttrAccessible…` without the prefix.
    public var name: String {
        switch self {
        case .whenPasscodeSetThisDeviceOnly: "whenPasscodeSetThisDeviceOnly"
        case .whenUnlockedThisDeviceOnly: "whenUnlockedThisDeviceOnly"
        case .whenUnlocked: "whenUnlocked"
        case .afterFirstUnlockThisDeviceOnly: "afterFirstUnlockThisDeviceOnly"
        case .afterFirstUnlock: "afterFirstUnlock"
        case .alwaysThisDeviceOnly: "alwaysThisDeviceOnly"
        case .always: "always"
        }
    }

    // An enumeration with text values would otherwise hash its text, which the searches over many worlds would feel.
    /// Hashes the case, not its text.
    public func hash(into hasher: inout Hasher) { hasher.combine(keyClass.rawValue << 1 | (isThisDeviceOnly ? 1 : 0)) }
}

/// A key that a whole protection class shares; two classes that differ only in where they may travel share one.
public enum KeyClass: UInt8, CaseIterable, Sendable {
    /// Open whenever the device runs.
    case always = 0
    /// Open from the first unlock after a start.
    case afterFirstUnlock = 1
    /// Open while the device is unlocked.
    case whenUnlocked = 2
    /// Open while the device is unlocked; exists only while a passcode is set.
    case whenPasscodeSet = 3
}

/// A set of class keys.
public typealias KeyClasses = BitSet<KeyClass, UInt8>

extension KeyClass: NamedChoice, CustomStringConvertible {
    /// The name that reports have for it.
    public var name: String {
        switch self {
        case .always: "always"
        case .afterFirstUnlock: "afterFirstUnlock"
        case .whenUnlocked: "whenUnlocked"
        case .whenPasscodeSet: "whenPasscodeSet"
        }
    }

    /// The name.
    public var description: String { name }
}
