import DeviceModel
import Testing

/// Each stored property of a device outlives a restart, or this table says why it does not.
@Suite struct LastingPropertyTests {
    /// The properties that belong to one enclave, the memory that holds the open keys.
    static let live: Set<String> = [
        "session", "isLocked", "hasFirstUnlock", "isOpen", "lastUnlocked", "lastPasscode", "biometricUnlock",
        "lastBiometricUnlock", "passcodeReasons",
    ]

    private static func names(_ value: Any) -> Set<String> {
        Set(Mirror(reflecting: value).children.compactMap(\.label))
    }

    @Test func everyPropertyOutlivesARestartOrDoesNot() {
        var lasting = Self.names(Device().lasting)
        // Of a companion, only the pairing outlives a restart.
        #expect(lasting.remove("isCompanionPaired") != nil)
        lasting.insert("companion")
        #expect(Self.names(Device()) == lasting.union(Self.live))
        #expect(lasting.isDisjoint(with: Self.live))
    }
}
