public import AccessPolicy

/// An app: what it may see, and how it stands with the sensor.
public struct App: Hashable, Sendable {
    /// The user's answer to the question whether the app may use biometry.
    public enum Permission: UInt8, CaseIterable, Sendable {
        /// Nobody was asked yet.
        case notAsked = 0
        /// It may.
        case given = 1
        /// It may not.
        case denied = 2
    }

    /// Its access groups.
    public var groups: AccessGroups
    /// Whether it may use a sensor that needs permission.
    public var permission: Permission
    /// True if it declares the text that such a sensor needs.
    public var declaresUsage: Bool

    /// An app of these groups; with its usage text and permission unless said otherwise.
    public init(groups: AccessGroups = [.first], permission: Permission = .given, declaresUsage: Bool = true) {
        self.groups = groups
        self.permission = permission
        self.declaresUsage = declaresUsage
    }
}

/// The apps on a device, each in its place.
package struct Apps: Hashable, Sendable {
    private var places = InlineArray<4, App>(repeating: App(groups: [], permission: .notAsked, declaresUsage: false))
    package private(set) var installed: BitSet<AppID, UInt8> = []

    package subscript(id: AppID) -> App? {
        get { installed.contains(id) ? places[Int(id.rawValue)] : nil }
        set {
            places[Int(id.rawValue)] = newValue ?? App(groups: [], permission: .notAsked, declaresUsage: false)
            if newValue == nil { installed.remove(id) } else { installed.insert(id) }
        }
    }

    package static func == (left: Self, right: Self) -> Bool {
        guard left.installed == right.installed else { return false }
        for id in left.installed where left[id] != right[id] { return false }
        return true
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(installed)
        for id in installed { hasher.combine(places[Int(id.rawValue)]) }
    }
}

extension App.Permission: NamedChoice, CustomStringConvertible {
    /// The word that scenario files have for it.
    public var name: String {
        switch self {
        case .notAsked: "notAsked"
        case .given: "given"
        case .denied: "denied"
        }
    }

    /// The name.
    public var description: String { name }
}
