internal import DeviceModel

/// The app that is under test: what it may see, and how it stands with the sensor.
///
///     device.app = App(identifier: "com.example.app", groups: ["group.shared"])
public struct App: Hashable, Sendable {
    /// The user's answer to the question whether the app may use Face ID.
    public enum Permission: Hashable, Sendable {
        /// Nobody was asked yet: the first use asks.
        case notAsked
        /// It may.
        case given
        /// It may not.
        case denied
    }

    /// Its identifier, which is an access group of its own.
    public var identifier: String
    /// Its app groups (`com.apple.security.application-groups`), which come after the identifier.
    public var groups: [String]
    /// Its keychain groups (`keychain-access-groups`), which come before it. The first of all is where new items go.
    public var keychainGroups: [String]
    /// True if it is signed with any entitlement; one that is not gets `errSecMissingEntitlement` for everything.
    public var isEntitled: Bool
    /// True if its `Info.plist` has `NSFaceIDUsageDescription`.
    public var declaresFaceIDUsage: Bool
    /// Whether it may use Face ID. Touch ID needs no permission.
    public var faceIDPermission: Permission

    /// An app with this identifier and these app groups.
    public init(
        identifier: String = "com.example.app", groups: [String] = [], keychainGroups: [String] = [],
        isEntitled: Bool = true, declaresFaceIDUsage: Bool = true, faceIDPermission: Permission = .given
    ) {
        self.identifier = identifier
        self.groups = groups
        self.keychainGroups = keychainGroups
        self.isEntitled = isEntitled
        self.declaresFaceIDUsage = declaresFaceIDUsage
        self.faceIDPermission = faceIDPermission
    }

    /// Its access groups, in the order in which Apple's system looks through them (semantics 3.10).
    var allGroups: [String] { isEntitled ? keychainGroups + [identifier] + groups : [] }

    /// The same to the device, for which an app without an entitlement has no group.
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
