internal import Foundation
internal import Synchronization

/// The user defaults of all apps on a device. They live in memory, and end with the device.
package final class DefaultsStore: Sendable {
    /// The values that belong together: those of an app, or of a suite.
    package enum Domain: Hashable, Sendable {
        /// The defaults of an app.
        case app(String)
        /// A suite of one app.
        case suite(String, app: String)
        /// A suite that has the name of an app group. Every app of the group has the same values.
        case group(String)
    }

    private struct State {
        /// The values as property lists.
        var values: [Domain: [String: Data]] = [:]
        /// The values that each app registers, which count where none is set.
        var registered: [String: [String: Data]] = [:]
        /// The suites that an app searches beside its own defaults.
        var added: [String: [Domain]] = [:]
    }

    private let state = Mutex(State())

    package init() {}

    /// Removes everything of an app and of its app groups, as the removal of the app does. That another app of the group
    /// would keep the values of the group is not modeled.
    package func remove(app: String, groups: [String]) {
        state.withLock { state in
            state.registered[app] = nil
            state.added[app] = nil
            state.values = state.values.filter { domain, _ in
                switch domain {
                case .app(let name): name != app
                case .suite(_, let name): name != app
                case .group(let name): !groups.contains(name)
                }
            }
        }
    }

    /// The values that are set, which a backup of the device contains.
    package struct Snapshot: Sendable {
        fileprivate let values: [Domain: [String: Data]]
    }

    /// The values that are set now.
    package var snapshot: Snapshot { state.withLock { Snapshot(values: $0.values) } }

    /// Sets the values of a backup. Those that it does not have stay.
    package func bringBack(_ snapshot: Snapshot) {
        state.withLock { state in
            state.values.merge(snapshot.values) { present, backedUp in present.merging(backedUp) { $1 } }
        }
    }

    /// Removes everything, as an erasure does.
    package func removeAll() { state.withLock { $0 = State() } }

    // MARK: - Values

    /// Returns the value that an app finds in `domain`, in the suites that it has added, or among the registered ones.
    func value(_ key: String, in domain: Domain, of app: String) -> Data? {
        state.withLock { state in
            let added = domain == .app(app) ? state.added[app] ?? [] : []
            for place in [domain] + added { if let value = state.values[place]?[key] { return value } }
            return state.registered[app]?[key]
        }
    }

    func set(_ value: Data?, _ key: String, in domain: Domain) {
        state.withLock { $0.values[domain, default: [:]][key] = value }
    }

    /// Returns everything that an app finds in `domain`; only the values that are set there if `isStored`.
    func values(in domain: Domain, of app: String, isStored: Bool) -> [String: Data] {
        state.withLock { state in
            let own = state.values[domain] ?? [:]
            if isStored { return own }
            var all = own
            let added = domain == .app(app) ? state.added[app] ?? [] : []
            for place in added { all.merge(state.values[place] ?? [:]) { former, _ in former } }
            return all.merging(state.registered[app] ?? [:]) { former, _ in former }
        }
    }

    func replace(_ domain: Domain, with values: [String: Data]) { state.withLock { $0.values[domain] = values } }

    func register(_ values: [String: Data], of app: String) {
        state.withLock { $0.registered[app, default: [:]].merge(values) { _, last in last } }
    }

    func add(_ suite: Domain, to app: String) {
        state.withLock { state in
            if state.added[app]?.contains(suite) != true { state.added[app, default: []].append(suite) }
        }
    }

    func removeSuite(_ suite: Domain, from app: String) {
        state.withLock { $0.added[app]?.removeAll { $0 == suite } }
    }
}
