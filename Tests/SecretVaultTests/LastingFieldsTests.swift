import AccessPolicy
import DeviceModel
import SecretVault
import SodiumKit
import TestSupport
import Testing

/// The lasting state of a device survives encoding. This test fails if a new field is left out of the bytes.
@Suite struct LastingFieldsTests {
    /// Returns the names of the stored properties in which two values differ.
    private static func differences(_ one: Any, _ other: Any) -> Set<String> {
        let pairs = zip(Mirror(reflecting: one).children, Mirror(reflecting: other).children)
        return Set(pairs.filter { "\($0.value)" != "\($1.value)" }.compactMap(\.0.label))
    }

    private static func names(_ value: Any) -> Set<String> {
        Set(Mirror(reflecting: value).children.compactMap(\.label))
    }

    private static func again(_ lasting: Device.Lasting) throws -> Device.Lasting {
        try LastingBytes.decode(LastingBytes.encode(lasting))
    }

    @Test func everyChoiceComesBack() throws {
        let before = Device.Lasting(DeviceSettings())
        let fields = FieldNames(of: before.settings.fidelity).all
        for field in fields {
            for choice in field.choices {
                var lasting = before
                var setter = FieldSetter(field.name, to: choice.name)
                lasting.settings.fidelity.describe(to: &setter)
                #expect(try Self.again(lasting) == lasting)
            }
        }
        #expect(Set(fields.map(\.name)) == Self.names(before.settings.fidelity))
    }

    /// One change for each stored property of the settings and of the state.
    private static let changes: [@Sendable (inout Device.Lasting) -> Void] = [
        { $0.settings.sensor = .opticID },
        { $0.settings.lockGrace = .seconds(77) },
        { $0.settings.attemptEnd = .erases },
        { $0.settings.stolenDeviceProtection = true },
        { $0.settings.fidelity.presence = .biometryCompanionOrPasscode },
        { $0.now = Instant(milliseconds: 5) },
        { $0.passcode = Passcode(rawValue: 9) },
        { $0.passcodeClassKey = 6 },
        { $0.wrongPasscodes = Passcodes(bits: 12) },
        { $0.delayedUntil = Instant(milliseconds: 8) },
        { $0.domainState = DomainState(sensor: 4, epoch: 5) },
        { $0.enrolled = Fingers(bits: 3) },
        { $0.failedMatches = 2 },
        { $0.isCompanionPaired = true },
        { $0.apps[.first]?.permission = .denied },
        // A security delay exists only if Stolen Device Protection is on.
        {
            $0.settings.stolenDeviceProtection = true
            $0.securityDelayEnds = Instant(milliseconds: 11)
        },
    ]

    @Test func everyFieldComesBack() throws {
        let before = Device.Lasting(DeviceSettings())
        var settings: Set<String> = []
        var state: Set<String> = []
        for change in Self.changes {
            var lasting = before
            change(&lasting)
            #expect(try Self.again(lasting) == lasting)
            #expect(LastingBytes.encode(lasting) != LastingBytes.encode(before))
            #expect(Device(restarting: lasting).lasting == lasting)
            settings.formUnion(Self.differences(before.settings, lasting.settings))
            state.formUnion(Self.differences(before, lasting))
        }
        #expect(settings == Self.names(before.settings))
        #expect(state == Self.names(before))
    }

    @Test func everyFieldOfAnAppComesBack() throws {
        let changes: [(inout App) -> Void] = [
            { $0.groups = AccessGroups(bits: 6) }, { $0.permission = .denied }, { $0.declaresUsage = false },
        ]
        let before = App()
        var kept: Set<String> = []
        for change in changes {
            var app = before
            change(&app)
            var lasting = Device.Lasting(DeviceSettings())
            lasting.apps[.first] = app
            #expect(try Self.again(lasting) == lasting)
            kept.formUnion(Self.differences(before, app))
        }
        #expect(kept == Self.names(before))
    }

    /// Only simulated devices keep their sensor on a reset.
    @Test func aRealVaultReplacesItsSensorOnAReset() {
        #expect(VaultOptions.real().device.fidelity.sensorReset == .replacesSensor)
        #expect(VaultOptions.simulated().device.fidelity.sensorReset == .keepsSensor)
        #expect(DeviceSettings().fidelity.sensorReset == .keepsSensor)
    }

    @Test func aSimulatedDeviceKeepsEveryChoiceOnDisk() throws {
        let folder = try TemporaryFolder(inMemory: true)
        var settings = DeviceSettings()
        settings.fidelity.limitOfDelete = .honored
        settings.fidelity.matchOnAdd = .refused
        try Vault.create(at: folder.path("vault"), .simulated(settings)).vault.close()
        let vault = try Vault.open(at: folder.path("vault"))
        #expect(try vault.device.settings == settings)
    }
}
