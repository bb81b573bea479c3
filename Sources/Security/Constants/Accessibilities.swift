// When an item may be opened (semantics 2.10).

/// Whenever the device is unlocked.
public let kSecAttrAccessibleWhenUnlocked: CFString = "ak"
/// Once the device was unlocked after its start.
public let kSecAttrAccessibleAfterFirstUnlock: CFString = "ck"
/// Always. Deprecated by Apple.
public let kSecAttrAccessibleAlways: CFString = "dk"
/// Whenever this device is unlocked, and on no other.
public let kSecAttrAccessibleWhenUnlockedThisDeviceOnly: CFString = "aku"
/// Once this device was unlocked after its start, and on no other.
public let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString = "cku"
/// Always on this device, and on no other. Deprecated by Apple.
public let kSecAttrAccessibleAlwaysThisDeviceOnly: CFString = "dku"
/// Whenever this device is unlocked, as long as it has a passcode, and on no other.
public let kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly: CFString = "akpu"
