import DeviceModel
import Testing

/// Checks that each stored property of a device survives a restart, or is listed here as one that does not.
@Suite struct LastingPropertyTests {
    /// The properties that belong to one enclave, the memory that holds the available keys.
    static let live: Set<String> = [
        "session", "isLocked", "hasFirstUnlock", "isOpen", "lastUnlocked", "lastPasscode", "biometricUnlock",
        "lastBiometricUnlock", "passcodeReasons",
    ]

    private static func names(_ value: Any) -> Set<String> {
        Set(Mirror(reflecting: value).children.compactMap(\.label))
    }

    @Test func everyPropertyOutlivesARestartOrDoesNot() {
        var lasting = Self.names(Device().lasting)
        // Only the pairing of a companion survives a restart.
        #expect(lasting.remove("isCompanionPaired") != nil)
        lasting.insert("companion")
        #expect(Self.names(Device()) == lasting.union(Self.live))
        #expect(lasting.isDisjoint(with: Self.live))
    }
}
