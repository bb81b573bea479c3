public import Foundation
public import LatchkeyFiles

extension SimulatedDevice: DefaultsOwner {
    /// The user defaults of the app. They are in memory: each device has its own, and ``reinstallApp()`` clears them.
    ///
    /// With the plugin `ProtectFiles`, they are what the code under test finds as `UserDefaults.standard`.
    ///
    ///     device.defaults.set(true, forKey: "hasLaunched")
    public var defaults: UserDefaults { defaults(ofSuite: nil) }

    /// Returns the user defaults of a suite, which the code under test finds as `UserDefaults(suiteName:)`. Apps of an app
    /// group (``App/groups``) share the suite of its name.
    ///
    ///     device.defaults(suite: "group.shared").set("en", forKey: "language")
    public func defaults(suite name: String) -> UserDefaults { defaults(ofSuite: name) }

    package func defaults(ofSuite name: String?) -> UserDefaults {
        let app = declaredApp
        return DeviceDefaults(defaultsStore, app: app.identifier, groups: app.groups, suite: name)
    }
}
