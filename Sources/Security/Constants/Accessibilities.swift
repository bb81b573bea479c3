// When an item may be opened (semantics 2.10).

/// Readable: when unlocked.
public let kSecAttrAccessibleWhenUnlocked: CFString = "ak"
/// Readable: after first unlock.
public let kSecAttrAccessibleAfterFirstUnlock: CFString = "ck"
/// Readable: always (deprecated).
public let kSecAttrAccessibleAlways: CFString = "dk"
/// Readable: when unlocked this device only.
public let kSecAttrAccessibleWhenUnlockedThisDeviceOnly: CFString = "aku"
/// Readable: after first unlock this device only.
public let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString = "cku"
/// Readable: always this device only (deprecated).
public let kSecAttrAccessibleAlwaysThisDeviceOnly: CFString = "dku"
/// Readable: when passcode set this device only.
public let kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly: CFString = "akpu"
