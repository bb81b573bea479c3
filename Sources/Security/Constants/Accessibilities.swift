// When an item may be opened (semantics 2.10).

public import Foundation

/// Whenever the device is unlocked.
public nonisolated(unsafe) let kSecAttrAccessibleWhenUnlocked: CFString = "ak"
/// Once the device was unlocked after its start.
public nonisolated(unsafe) let kSecAttrAccessibleAfterFirstUnlock: CFString = "ck"
/// Always. Deprecated by Apple.
public nonisolated(unsafe) let kSecAttrAccessibleAlways: CFString = "dk"
/// Whenever this device is unlocked, and on no other.
public nonisolated(unsafe) let kSecAttrAccessibleWhenUnlockedThisDeviceOnly: CFString = "aku"
/// Once this device was unlocked after its start, and on no other.
public nonisolated(unsafe) let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString = "cku"
/// Always on this device, and on no other. Deprecated by Apple.
public nonisolated(unsafe) let kSecAttrAccessibleAlwaysThisDeviceOnly: CFString = "dku"
/// Whenever this device is unlocked, as long as it has a passcode, and on no other.
public nonisolated(unsafe) let kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly: CFString = "akpu"
