public import Foundation

// The keys of an Info.plist that code around the keychain uses to name its service after the app.

/// The key for the identifier of a bundle.
public nonisolated(unsafe) let kCFBundleIdentifierKey: CFString! = "CFBundleIdentifier"
/// The key for the short name of a bundle.
public nonisolated(unsafe) let kCFBundleNameKey: CFString! = "CFBundleName"
/// The key for the build number of a bundle.
public nonisolated(unsafe) let kCFBundleVersionKey: CFString! = "CFBundleVersion"
/// The key for the name of a bundle's executable.
public nonisolated(unsafe) let kCFBundleExecutableKey: CFString! = "CFBundleExecutable"
