package import Foundation

/// User defaults of an app on a device. Foundation's other accessors, such as `string(forKey:)`, use these.
package final class DeviceDefaults: UserDefaults {
    private let store: DefaultsStore
    private let app: String
    private let groups: [String]
    private let domain: DefaultsStore.Domain

    /// Creates the defaults of `app`, or of its suite of this name. A suite that is named like one of `groups` is shared.
    package init(_ store: DefaultsStore, app: String, groups: [String], suite: String?) {
        self.store = store
        self.app = app
        self.groups = groups
        domain = Self.domain(suite, app, groups)
        super.init(suiteName: nil)!
    }

    /// Returns the domain of this name. The names of the app, on the device and in its bundle, stand for its own.
    private static func domain(_ name: String?, _ app: String, _ groups: [String]) -> DefaultsStore.Domain {
        guard let name, name != app, name != Bundle.main.bundleIdentifier else { return .app(app) }
        return groups.contains(name) ? .group(name) : .suite(name, app: app)
    }

    private func domain(_ name: String) -> DefaultsStore.Domain { Self.domain(name, app, groups) }

    // MARK: - Values

    package override func object(forKey defaultName: String) -> Any? {
        store.value(defaultName, in: domain, of: app).map(Self.value)
    }

    package override func set(_ value: Any?, forKey defaultName: String) {
        store.set(value.map(Self.list), defaultName, in: domain)
    }

    // `set(nil, forKey:)` comes here, and Foundation's own calls itself for ever then.
    package override func set(_ url: URL?, forKey defaultName: String) {
        set(url.map { $0 as Any }, forKey: defaultName)
    }

    package override func url(forKey defaultName: String) -> URL? {
        guard let archive = object(forKey: defaultName) as? Data else { return super.url(forKey: defaultName) }
        // Data that is no archive of a URL is none, as any other value.
        return try? NSKeyedUnarchiver.unarchivedObject(ofClass: NSURL.self, from: archive).map { $0 as URL }
    }

    package override func removeObject(forKey defaultName: String) { store.set(nil, defaultName, in: domain) }

    // A number is read as any other kind of number, as on Apple's platforms.
    package override func integer(forKey defaultName: String) -> Int {
        (object(forKey: defaultName) as? NSNumber)?.intValue ?? super.integer(forKey: defaultName)
    }

    package override func float(forKey defaultName: String) -> Float {
        (object(forKey: defaultName) as? NSNumber)?.floatValue ?? super.float(forKey: defaultName)
    }

    package override func double(forKey defaultName: String) -> Double {
        (object(forKey: defaultName) as? NSNumber)?.doubleValue ?? super.double(forKey: defaultName)
    }

    package override func bool(forKey defaultName: String) -> Bool {
        (object(forKey: defaultName) as? NSNumber)?.boolValue ?? super.bool(forKey: defaultName)
    }

    package override func register(defaults registrationDictionary: [String: Any]) {
        store.register(registrationDictionary.mapValues(Self.list), of: app)
    }

    package override func dictionaryRepresentation() -> [String: Any] {
        store.values(in: domain, of: app, isStored: false).mapValues(Self.value)
    }

    /// True: there is nothing to write.
    package override func synchronize() -> Bool { true }

    // MARK: - Suites and domains

    package override func addSuite(named suiteName: String) { store.add(domain(suiteName), to: app) }

    package override func removeSuite(named suiteName: String) { store.removeSuite(domain(suiteName), from: app) }

    package override func persistentDomain(forName domainName: String) -> [String: Any]? {
        let values = store.values(in: domain(domainName), of: app, isStored: true)
        return values.isEmpty ? nil : values.mapValues(Self.value)
    }

    package override func setPersistentDomain(_ domain: [String: Any], forName domainName: String) {
        store.replace(self.domain(domainName), with: domain.mapValues(Self.list))
    }

    package override func removePersistentDomain(forName domainName: String) {
        store.replace(domain(domainName), with: [:])
    }

    // MARK: - Property lists

    /// Returns a value as a property list. Any other value ends the program, as on Apple's platforms.
    private static func list(_ value: Any) -> Data {
        do {
            let value = try (value as? URL).map(Self.stored) ?? value
            return try PropertyListSerialization.data(fromPropertyList: [value], format: .binary, options: 0)
        } catch {
            fatalError("This value is no property list, so user defaults cannot store it: \(value)")
        }
    }

    /// Returns the path of a file's URL, and an archive of any other one.
    private static func stored(_ url: URL) throws -> Any {
        url.isFileURL
            ? url.absoluteURL.path
            : try NSKeyedArchiver.archivedData(withRootObject: url as NSURL, requiringSecureCoding: true)
    }

    private static func value(_ list: Data) -> Any {
        do {
            let values = try PropertyListSerialization.propertyList(from: list, options: [], format: nil) as? [Any]
            guard let value = values?.first else { fatalError("a stored value is missing") }
            return value
        } catch {
            fatalError("a stored value cannot be read: \(error)")
        }
    }
}
