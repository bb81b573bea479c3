public import Foundation
internal import SealedFiles

/// The user defaults of the app on the device that runs the code.
///
/// The plugin `ProtectFiles` has your app's `UserDefaults.standard` and `UserDefaults(suiteName:)` come here. Outside of a
/// device, both are Foundation's.
public enum AppDefaults: Sendable {
    /// The defaults of the app, as `UserDefaults.standard`.
    ///
    ///     AppDefaults.standard.set(true, forKey: "hasLaunched")
    public static var standard: UserDefaults { owner?.defaults(ofSuite: nil) ?? .standard }

    /// Returns the defaults of a suite, as `UserDefaults(suiteName:)` does.
    ///
    ///     AppDefaults.suite(named: "group.com.example.shared")?.string(forKey: "language")
    public static func suite(named name: String) -> UserDefaults? {
        owner?.defaults(ofSuite: name) ?? UserDefaults(suiteName: name)
    }

    private static var owner: (any DefaultsOwner)? { ProtectedFolder.currentOwner as? any DefaultsOwner }
}

/// A device that has user defaults of its own.
package protocol DefaultsOwner: AnyObject, Sendable {
    /// Returns the defaults of a suite of the present app; those of the app itself for nil.
    func defaults(ofSuite name: String?) -> UserDefaults
}
