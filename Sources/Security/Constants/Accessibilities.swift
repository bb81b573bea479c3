// The accessibility classes (semantics 2.10).

public import Foundation

/// The class of items that are available while the device is unlocked.
public nonisolated(unsafe) let kSecAttrAccessibleWhenUnlocked: CFString = "ak"
/// The class of items that are available once the device has been unlocked after its start.
public nonisolated(unsafe) let kSecAttrAccessibleAfterFirstUnlock: CFString = "ck"
/// The class of items that are always available. Deprecated by Apple.
public nonisolated(unsafe) let kSecAttrAccessibleAlways: CFString = "dk"
/// The class of items that are available while this device is unlocked, and never leave it.
public nonisolated(unsafe) let kSecAttrAccessibleWhenUnlockedThisDeviceOnly: CFString = "aku"
/// The class of items that are available once this device has been unlocked after its start, and never leave it.
public nonisolated(unsafe) let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString = "cku"
/// The class of items that are always available on this device, and never leave it. Deprecated by Apple.
public nonisolated(unsafe) let kSecAttrAccessibleAlwaysThisDeviceOnly: CFString = "dku"
/// The class of items that are available while this device has a passcode and is unlocked, and never leave it.
public nonisolated(unsafe) let kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly: CFString = "akpu"
