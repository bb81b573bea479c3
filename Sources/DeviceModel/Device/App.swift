public import AccessPolicy

/// An app on a device: its access groups, and its permission to use biometry.
public struct App: Hashable, Sendable {
    /// The user's answer when the app asked for permission to use biometry.
    public enum Permission: UInt8, CaseIterable, Sendable {
        /// The app has not asked yet.
        case notAsked = 0
        /// The user allowed it.
        case given = 1
        /// The user denied it.
        case denied = 2
    }

    /// The access groups of the app.
    public var groups: AccessGroups
    /// The permission to use a sensor that needs one.
    public var permission: Permission
    /// True if the app declares the usage text that such a sensor needs, `NSFaceIDUsageDescription`.
    public var declaresUsage: Bool

    /// Creates an app. By default it belongs to the first access group and may use biometry.
    public init(groups: AccessGroups = [.first], permission: Permission = .given, declaresUsage: Bool = true) {
        self.groups = groups
        self.permission = permission
        self.declaresUsage = declaresUsage
    }
}

/// The apps on a device, by their numbers.
package struct Apps: Hashable, Sendable {
    private var places = InlineArray<5, App>(repeating: App(groups: [], permission: .notAsked, declaresUsage: false))
    package private(set) var installed: BitSet<AppID, UInt8> = []

    /// The app with this number; nil if it is not installed.
    package subscript(id: AppID) -> App? {
        get { installed.contains(id) ? places[Int(id.rawValue)] : nil }
        set {
            places[Int(id.rawValue)] = newValue ?? App(groups: [], permission: .notAsked, declaresUsage: false)
            if newValue == nil { installed.remove(id) } else { installed.insert(id) }
        }
    }

    package func permission(of id: AppID) -> App.Permission { places[Int(id.rawValue)].permission }
    /// Changes the permission of an installed app in place.
    package mutating func setPermission(of id: AppID, to permission: App.Permission) {
        places[Int(id.rawValue)].permission = permission
    }

    /// Returns true if the same apps are installed, in the same state.
    package static func == (left: Self, right: Self) -> Bool {
        guard left.installed == right.installed else { return false }
        for id in left.installed where left[id] != right[id] { return false }
        return true
    }

    /// Hashes the installed apps.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(installed)
        for id in installed { hasher.combine(places[Int(id.rawValue)]) }
    }
}

extension App.Permission: NamedChoice, CustomStringConvertible {
    /// The name of the permission in scenario files.
    public var name: String {
        switch self {
        case .notAsked: "notAsked"
        case .given: "given"
        case .denied: "denied"
        }
    }

    /// The name of the permission.
    public var description: String { name }
}
