import Foundation
import LatchkeyFiles
import LatchkeyTesting
import Testing

/// Tests of the user defaults of a device.
@Suite struct DefaultsTests {
    private static let date = Date(timeIntervalSince1970: 86_400)

    /// A value, and what each accessor returns for it.
    @Test func everyAccessorReadsWhatWasSet() throws {
        let defaults = SimulatedDevice().defaults
        defaults.set(true, forKey: "bool")
        defaults.set(3, forKey: "integer")
        defaults.set(0.1, forKey: "double")
        defaults.set(Float(0.25), forKey: "float")
        defaults.set("text", forKey: "string")
        defaults.set("7", forKey: "digits")
        defaults.set(Data([1, 2]), forKey: "data")
        defaults.set(Self.date, forKey: "date")
        defaults.set(["a", "b"], forKey: "array")
        defaults.set(["a": 1], forKey: "dictionary")
        defaults.set(URL(filePath: "/a/file"), forKey: "url")
        #expect(defaults.bool(forKey: "bool") && defaults.integer(forKey: "bool") == 1)
        #expect(defaults.object(forKey: "bool") as? Bool == true)
        #expect(defaults.integer(forKey: "integer") == 3 && defaults.double(forKey: "integer") == 3)
        #expect(defaults.bool(forKey: "integer") && defaults.object(forKey: "integer") as? Int == 3)
        #expect(defaults.double(forKey: "double") == 0.1 && defaults.integer(forKey: "double") == 0)
        #expect(abs(defaults.float(forKey: "double") - 0.1) < 0.0001 && defaults.float(forKey: "float") == 0.25)
        #expect(defaults.string(forKey: "string") == "text" && defaults.integer(forKey: "digits") == 7)
        #expect(defaults.data(forKey: "data") == Data([1, 2]) && defaults.string(forKey: "data") == nil)
        #expect(defaults.object(forKey: "date") as? Date == Self.date)
        #expect(defaults.stringArray(forKey: "array") == ["a", "b"] && defaults.array(forKey: "array")?.count == 2)
        #expect(defaults.dictionary(forKey: "dictionary")?["a"] as? Int == 1)
        #expect(defaults.url(forKey: "url")?.path == "/a/file")
        #expect(defaults.dictionaryRepresentation().count == 11 && defaults.synchronize())
        for key in defaults.dictionaryRepresentation().keys { defaults.removeObject(forKey: key) }
        #expect(defaults.dictionaryRepresentation().isEmpty)
        #expect(!defaults.bool(forKey: "bool") && defaults.integer(forKey: "integer") == 0)
        #expect(defaults.object(forKey: "string") == nil && defaults.url(forKey: "url") == nil)
        defaults.set("text", forKey: "string")
        defaults.set(nil, forKey: "string")
        #expect(defaults.string(forKey: "string") == nil)
    }

    /// A URL, and the value in which it is kept.
    @Test(arguments: [
        ("https://example.com/a?b=c#d", false), ("mailto:me@example.com", false), ("otpauth://totp/a", false),
        ("file:///a/file", true),
    ])
    func aURLComesBackWhole(_ text: String, _ isPath: Bool) throws {
        let defaults = SimulatedDevice().defaults
        let url = try #require(URL(string: text))
        defaults.set(url, forKey: "as a URL")
        defaults.set(url as Any, forKey: "as a value")
        defaults.register(defaults: ["registered": url])
        for key in ["as a URL", "as a value", "registered"] {
            #expect(defaults.url(forKey: key)?.absoluteString == text, "\(key)")
            #expect(
                (defaults.string(forKey: key) == "/a/file") == isPath && (defaults.data(forKey: key) == nil) == isPath)
        }
        defaults.set(URL?.none, forKey: "as a URL")
        #expect(defaults.url(forKey: "as a URL") == nil)
        defaults.set(Data([1, 2]), forKey: "bytes")
        defaults.set(1, forKey: "number")
        #expect(defaults.url(forKey: "bytes") == nil && defaults.url(forKey: "number") == nil)
    }

    @Test func aDomainWithoutValuesIsNone() {
        let device = SimulatedDevice()
        #expect(device.defaults.persistentDomain(forName: "settings") == nil)
        device.defaults(suite: "settings").set(1, forKey: "a")
        #expect(device.defaults.persistentDomain(forName: "settings")?.keys.sorted() == ["a"])
        device.defaults.removePersistentDomain(forName: "settings")
        #expect(device.defaults.persistentDomain(forName: "settings") == nil)
    }

    @Test func registeredValuesCountWhereNoneIsSet() {
        let device = SimulatedDevice()
        device.defaults.register(defaults: ["limit": 5, "name": "none"])
        device.defaults.set("set", forKey: "name")
        #expect(device.defaults.integer(forKey: "limit") == 5 && device.defaults.string(forKey: "name") == "set")
        #expect(device.defaults(suite: "other").integer(forKey: "limit") == 5)
        #expect(device.defaults.persistentDomain(forName: device.app.identifier)?.count == 1)
        device.defaults.removeObject(forKey: "name")
        #expect(device.defaults.string(forKey: "name") == "none")
        #expect(SimulatedDevice().defaults.integer(forKey: "limit") == 0, "another device has not registered it")
    }

    @Test func aSuiteHasItsOwnValues() {
        let device = SimulatedDevice()
        device.defaults(suite: "settings").set(1, forKey: "a")
        #expect(
            device.defaults.integer(forKey: "a") == 0 && device.defaults(suite: "settings").integer(forKey: "a") == 1)
        device.defaults.addSuite(named: "settings")
        #expect(device.defaults.integer(forKey: "a") == 1)
        device.defaults.removeSuite(named: "settings")
        #expect(device.defaults.integer(forKey: "a") == 0)
        device.defaults.setPersistentDomain(["b": 2], forName: "settings")
        #expect(device.defaults(suite: "settings").integer(forKey: "b") == 2)
        #expect(device.defaults(suite: "settings").integer(forKey: "a") == 0)
        device.defaults.set(3, forKey: "c")
        device.defaults.removePersistentDomain(forName: "settings")
        #expect(device.defaults(suite: "settings").dictionaryRepresentation().isEmpty)
        device.defaults.removePersistentDomain(forName: device.app.identifier)
        #expect(device.defaults.integer(forKey: "c") == 0)
    }

    @Test func appsShareTheSuiteOfTheirGroupAlone() {
        let device = SimulatedDevice(app: App(identifier: "com.example.one", groups: ["group.shared"]))
        device.defaults.set(1, forKey: "a")
        device.defaults(suite: "group.shared").set(1, forKey: "a")
        device.defaults(suite: "settings").set(1, forKey: "a")
        device.app = App(identifier: "com.example.two", groups: ["group.shared"])
        #expect(
            device.defaults.integer(forKey: "a") == 0 && device.defaults(suite: "settings").integer(forKey: "a") == 0)
        #expect(device.defaults(suite: "group.shared").integer(forKey: "a") == 1)
        device.reinstallApp()
        device.app = App(identifier: "com.example.one", groups: ["group.shared"])
        #expect(device.defaults.integer(forKey: "a") == 1, "the other app stays")
    }

    /// An event, and whether the defaults are there after it.
    @Test(arguments: [
        ("lock", true), ("reboot", true), ("reinstallApp", false), ("erase", false),
    ])
    func theDefaultsGoWithTheApp(_ event: String, _ stay: Bool) {
        let device = SimulatedDevice(app: App(groups: ["group.shared"]))
        let suites = [device.defaults, device.defaults(suite: "settings"), device.defaults(suite: "group.shared")]
        for suite in suites { suite.set(true, forKey: "hasLaunched") }
        device.defaults.register(defaults: ["limit": 5])
        switch event {
        case "lock": device.lock()
        case "reboot": device.reboot()
        case "reinstallApp": device.reinstallApp()
        default: device.erase()
        }
        for suite in suites { #expect(suite.bool(forKey: "hasLaunched") == stay, "\(device)") }
        #expect(device.defaults.integer(forKey: "limit") == (stay ? 5 : 0))
    }

    @Test func theCodeOnADeviceFindsItsDefaults() {
        let (device, other) = (SimulatedDevice(), SimulatedDevice())
        device.run {
            AppDefaults.standard.set("mine", forKey: "owner")
            AppDefaults.suite(named: "settings")?.set("mine", forKey: "owner")
        }
        #expect(device.defaults.string(forKey: "owner") == "mine")
        #expect(device.defaults(suite: "settings").string(forKey: "owner") == "mine")
        other.run {
            #expect(AppDefaults.standard.string(forKey: "owner") == nil)
            #expect(AppDefaults.suite(named: "settings")?.string(forKey: "owner") == nil)
        }
    }

    @Test func defaultsOutliveTheirDevice() {
        let defaults = SimulatedDevice().defaults
        defaults.set(1, forKey: "a")
        #expect(defaults.integer(forKey: "a") == 1)
    }
}
