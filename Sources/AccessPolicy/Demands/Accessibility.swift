/// An accessibility class, which says when the class key of an item is available.
///
/// These are Apple's seven classes. The raw values are Apple's values of `kSecAttrAccessible`.
public enum Accessibility: String, CaseIterable, Sendable {
    /// Available while the device is unlocked and a passcode is set, on this device only. Removing the passcode
    /// destroys the item.
    case whenPasscodeSetThisDeviceOnly = "akpu"
    /// Available while the device is unlocked, on this device only.
    case whenUnlockedThisDeviceOnly = "aku"
    /// Available while the device is unlocked. Apple's default for passwords and keys.
    case whenUnlocked = "ak"
    /// Available from the first unlock until the device restarts, on this device only.
    case afterFirstUnlockThisDeviceOnly = "cku"
    /// Available from the first unlock until the device restarts.
    case afterFirstUnlock = "ck"
    /// Always available, on this device only. Deprecated by Apple.
    case alwaysThisDeviceOnly = "dku"
    /// Always available. Deprecated by Apple.
    case always = "dk"

    /// The class key that an item of this class needs.
    public var keyClass: KeyClass {
        switch self {
        case .whenPasscodeSetThisDeviceOnly: .whenPasscodeSet
        case .whenUnlockedThisDeviceOnly, .whenUnlocked: .whenUnlocked
        case .afterFirstUnlockThisDeviceOnly, .afterFirstUnlock: .afterFirstUnlock
        case .alwaysThisDeviceOnly, .always: .always
        }
    }

    /// True if an item of this class can be opened only on the device that stored it.
    public var isThisDeviceOnly: Bool {
        switch self {
        case .whenPasscodeSetThisDeviceOnly, .whenUnlockedThisDeviceOnly, .afterFirstUnlockThisDeviceOnly,
            .alwaysThisDeviceOnly:
            true
        case .whenUnlocked, .afterFirstUnlock, .always: false
        }
    }

    /// The class of the same moments whose items never leave the device that stored them.
    public var onThisDeviceOnly: Accessibility {
        switch self {
        case .whenPasscodeSetThisDeviceOnly: .whenPasscodeSetThisDeviceOnly
        case .whenUnlockedThisDeviceOnly, .whenUnlocked: .whenUnlockedThisDeviceOnly
        case .afterFirstUnlockThisDeviceOnly, .afterFirstUnlock: .afterFirstUnlockThisDeviceOnly
        case .alwaysThisDeviceOnly, .always: .alwaysThisDeviceOnly
        }
    }

    /// The name of the class: Apple's constant without the prefix `kSecAttrAccessible`, such as `whenUnlocked`.
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

    // By default, an enumeration with text values hashes its text, which slows searches over many worlds.
    /// Hashes the case instead of its raw value.
    public func hash(into hasher: inout Hasher) { hasher.combine(keyClass.rawValue << 1 | (isThisDeviceOnly ? 1 : 0)) }
}

/// A key that protects all items of a class. Two classes that differ only in `ThisDeviceOnly` share one.
public enum KeyClass: UInt8, CaseIterable, Sendable {
    /// Available whenever the device runs.
    case always = 0
    /// Available from the first unlock until the device restarts.
    case afterFirstUnlock = 1
    /// Available while the device is unlocked.
    case whenUnlocked = 2
    /// Available while the device is unlocked. The key exists only while a passcode is set.
    case whenPasscodeSet = 3
}

/// A set of class keys.
public typealias KeyClasses = BitSet<KeyClass, UInt8>

extension KeyClass: NamedChoice, CustomStringConvertible {
    /// The name of the class key in reports.
    public var name: String {
        switch self {
        case .always: "always"
        case .afterFirstUnlock: "afterFirstUnlock"
        case .whenUnlocked: "whenUnlocked"
        case .whenPasscodeSet: "whenPasscodeSet"
        }
    }

    /// The name of the class key.
    public var description: String { name }
}
