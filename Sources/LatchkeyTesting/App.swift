internal import DeviceModel

/// The app under test: its access groups and its permission to use biometry.
///
///     device.app = App(identifier: "com.example.app", groups: ["group.shared"])
public struct App: Hashable, Sendable {
    /// The user's answer when asked whether the app may use Face ID.
    public enum Permission: Hashable, Sendable {
        /// The user was not asked yet. The first use asks.
        case notAsked
        /// The app may use Face ID.
        case given
        /// The app may not use Face ID.
        case denied
    }

    /// The identifier, which is also an access group.
    public var identifier: String
    /// The app groups (`com.apple.security.application-groups`), which follow the identifier.
    public var groups: [String]
    /// The keychain groups (`keychain-access-groups`), which precede the identifier. New items go into the first of all
    /// groups.
    public var keychainGroups: [String]
    /// True if the app has any entitlement. Without one, every call returns `errSecMissingEntitlement`.
    public var isEntitled: Bool
    /// True if the app's `Info.plist` has `NSFaceIDUsageDescription`.
    public var declaresFaceIDUsage: Bool
    /// The permission to use Face ID. Touch ID needs none.
    public var faceIDPermission: Permission
    /// True while the app is in the background, where the system shows it no prompt.
    ///
    /// A keychain call that needs a prompt returns `errSecInteractionNotAllowed` (-25308), and an evaluation of a context
    /// fails with `LAError.notInteractive`. A prompt that is open when the app goes there is taken away. Calls without a
    /// prompt go on.
    ///
    ///     device.app.isInBackground = true
    public var isInBackground: Bool

    /// Creates an app with this identifier and these groups.
    public init(
        identifier: String = "com.example.app", groups: [String] = [], keychainGroups: [String] = [],
        isEntitled: Bool = true, declaresFaceIDUsage: Bool = true, faceIDPermission: Permission = .given,
        isInBackground: Bool = false
    ) {
        self.identifier = identifier
        self.groups = groups
        self.keychainGroups = keychainGroups
        self.isEntitled = isEntitled
        self.declaresFaceIDUsage = declaresFaceIDUsage
        self.faceIDPermission = faceIDPermission
        self.isInBackground = isInBackground
    }

    /// The access groups, in the order in which Apple's system searches them (semantics 3.10).
    var allGroups: [String] { isEntitled ? keychainGroups + [identifier] + groups : [] }

    /// The app as the device knows it. Without an entitlement it has no group there.
    var onDevice: DeviceModel.App {
        let permission: DeviceModel.App.Permission =
            switch faceIDPermission {
            case .notAsked: .notAsked
            case .given: .given
            case .denied: .denied
            }
        return DeviceModel.App(
            groups: isEntitled ? [.first] : [], permission: permission, declaresUsage: declaresFaceIDUsage)
    }
}

extension App.Permission {
    init(_ permission: DeviceModel.App.Permission) {
        self =
            switch permission {
            case .notAsked: .notAsked
            case .given: .given
            case .denied: .denied
            }
    }
}
