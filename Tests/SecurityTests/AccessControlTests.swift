import Foundation
import LatchkeyTesting
import Security
import Testing

/// Sections 4.1 and 4.2: the flags that are accepted, and their meaning.
@Suite struct AccessControlTests {
    static let flags: [(flag: SecAccessControlCreateFlags, bit: UInt)] = [
        (.userPresence, 0), (.biometryAny, 1), (.biometryCurrentSet, 3), (.devicePasscode, 4), (.companion, 5),
        (.or, 14), (.and, 15), (.privateKeyUsage, 30), (.applicationPassword, 31),
    ]
    static let protections =
        [
            kSecAttrAccessibleWhenUnlocked, kSecAttrAccessibleAfterFirstUnlock, kSecAttrAccessibleAlways,
            kSecAttrAccessibleWhenUnlockedThisDeviceOnly, kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
            kSecAttrAccessibleAlwaysThisDeviceOnly, kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly, "f",
        ] as [String]
    /// All sets of the nine flags.
    static let sets = (0..<512).map { number in
        flags.indices.reduce(into: SecAccessControlCreateFlags()) { set, index in
            if number & 1 << index != 0 { set.insert(flags[index].flag) }
        }
    }

    /// The rule as the table of 4.1 has it.
    static func isRefused(_ set: SecAccessControlCreateFlags) -> Bool {
        if set.contains(.or) && set.contains(.and) { return true }
        if set.contains(.biometryAny) && set.contains(.biometryCurrentSet) { return true }
        return set.contains(.userPresence)
            && ![
                SecAccessControlCreateFlags.userPresence, [.userPresence, .applicationPassword],
                [.userPresence, .privateKeyUsage], [.userPresence, .applicationPassword, .privateKeyUsage],
            ].contains(set)
    }

    /// The entries as the table of 4.2 has them.
    static func entries(_ set: SecAccessControlCreateFlags) -> String {
        var constraints: [String] = []
        if set.contains(.userPresence) { constraints.append("cpo(DeviceOwnerAuthentication)") }
        if set.contains(.biometryAny) { constraints.append("cbio(pbioc())") }
        if set.contains(.biometryCurrentSet) { constraints.append("cbio(pbioc()pbioh())") }
        if set.contains(.companion) { constraints.append("cwtch(true)") }
        if set.contains(.devicePasscode) { constraints.append("cup(true)") }
        let needed: String? =
            switch constraints.count {
            case 0: nil
            case 1: constraints[0]
            default: "pkofn(\(set.contains(.or) ? 1 : constraints.count))" + constraints.joined()
            }
        let isForKeys = set.contains(.privateKeyUsage)
        let password = set.contains(.applicationPassword) ? ";prp(true)" : ""
        if isForKeys {
            let use = needed ?? "true"
            return "oa(true);ock(\(use));odel(true);okd(\(use));osgn(\(use))" + password
        }
        guard let needed else { return "dacl(true)" + password }
        return "od(\(needed));odel(true);oe(true)" + password
    }

    @Test func theBitsAreApples() {
        for (flag, bit) in Self.flags { #expect(flag.rawValue == 1 << bit) }
        #expect(SecAccessControlCreateFlags.touchIDAny == .biometryAny)
        #expect(SecAccessControlCreateFlags.touchIDCurrentSet == .biometryCurrentSet)
        #expect(SecAccessControlCreateFlags.watch == .companion)
    }

    @Test(arguments: protections) func everySetOfFlagsIsTakenOrRefusedAsTheTableSays(_ protection: String) {
        var refused = 0
        for set in Self.sets {
            var error: Unmanaged<CFError>?
            let access = SecAccessControlCreateWithFlags(nil, protection, set, &error)
            if Self.isRefused(set) {
                refused += 1
                #expect(access == nil, "\(set.rawValue)")
                let told = error?.takeRetainedValue()
                #expect(told?.domain == NSOSStatusErrorDomain && told?.code == Int(errSecParam), "\(set.rawValue)")
            } else {
                #expect(error == nil, "\(set.rawValue)")
                let expected = "<SecAccessControlRef: \(protection);\(Self.entries(set))>"
                #expect(access?.description == expected, "\(set.rawValue)")
            }
        }
        // Of the 256 sets with presence, 252 include a flag that excludes it. Of the 256 without, 64 have both
        // biometries and 64 both joiners, and 16 of these are the same.
        #expect(refused == 252 + 64 + 64 - 16)
    }

    @Test func unknownBitsAreIgnoredExceptBesidePresence() throws {
        let unknown = SecAccessControlCreateFlags(rawValue: 1 << 7 | 1 << 40)
        #expect(SecAccessControlCreateWithFlags(nil, "ak", [.userPresence, unknown], nil) == nil)
        let with = try #require(SecAccessControlCreateWithFlags(nil, "ak", [.biometryAny, unknown], nil))
        let without = try #require(SecAccessControlCreateWithFlags(nil, "ak", .biometryAny, nil))
        #expect(with == without)
        #expect(
            SecAccessControlCreateWithFlags(nil, "ak", unknown, nil)?.description
                == "<SecAccessControlRef: ak;dacl(true)>")
    }

    @Test func aProtectionThatIsNoneIsRefused() {
        let none: [Any?] = [
            nil, "", "AK", "ak ", "akx", "akpux", 5, true, Data("ak".utf8), NSNull(), ["ak"], Date(),
            Optional<String>.none as Any, someKey,
        ]
        for protection in none {
            var error: Unmanaged<CFError>?
            #expect(SecAccessControlCreateWithFlags(kCFAllocatorDefault, protection, [], &error) == nil)
            #expect(error.map { CFErrorGetCode($0.takeRetainedValue()) } == Int(errSecParam))
        }
    }

    @Test func theProtectionMayLieInOptionalsAndBoxes() {
        let protections: [Any?] = [
            kSecAttrAccessibleWhenUnlocked as CFTypeRef, Optional(Optional("ak")) as Any,
            kSecAttrAccessibleWhenUnlocked as NSString, "ak" as AnyObject,
        ]
        for protection in protections {
            #expect(SecAccessControlCreateWithFlags(nil, protection, .biometryAny, nil) != nil)
        }
    }

    @Test func twoAreEqualExactlyWhenTheyPrintAlike() {
        let all = Self.protections.flatMap { protection in
            Self.sets.compactMap { SecAccessControlCreateWithFlags(nil, protection, $0, nil) }
        }
        #expect(all.count == 8 * 148)
        #expect(Set(all).count == Set(all.map(\.description)).count)
        for first in all.prefix(148) {
            for second in all.prefix(148 * 2) {
                let isSame = first.description == second.description
                #expect((first == second) == isSame && CFEqual(first, second) == isSame)
                if isSame { #expect(first.hashValue == second.hashValue) }
            }
        }
    }

    @Test func theDeviceHasNoSayInIt() {
        let device = SimulatedDevice(biometry: .none, passcode: nil)
        device.run {
            for protection in Self.protections {
                for set in Self.sets where !Self.isRefused(set) {
                    #expect(SecAccessControlCreateWithFlags(nil, protection, set, nil) != nil)
                }
            }
        }
    }

    @Test func anItemThatWasStoredWithAProtectionAloneHasAnAccessControlWithoutEntries() throws {
        try SimulatedDevice().run {
            let item: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecAttrAccount: "a"]
            #expect(SecItemAdd(item as CFDictionary, nil) == errSecSuccess)
            var found: CFTypeRef?
            let query = item.merging([kSecReturnAttributes: true]) { first, _ in first }
            #expect(SecItemCopyMatching(query as CFDictionary, &found) == errSecSuccess)
            let attributes = try #require(found as? [String: Any])
            let access = try #require(attributes[kSecAttrAccessControl as String] as? SecAccessControl)
            #expect(access.description == "<SecAccessControlRef: ak>")
            #expect(access != SecAccessControlCreateWithFlags(nil, "ak", [], nil))
        }
    }

    @Test func theKindsAreDifferent() {
        let kinds = [
            SecAccessControlGetTypeID(), SecKeyGetTypeID(), SecCertificateGetTypeID(), SecIdentityGetTypeID(),
            CFNullGetTypeID(), CFStringGetTypeID(), CFDictionaryGetTypeID(), CFArrayGetTypeID(), CFDataGetTypeID(),
            CFBooleanGetTypeID(), CFNumberGetTypeID(), CFErrorGetTypeID(), CFDateGetTypeID(),
        ]
        #expect(Set(kinds).count == kinds.count && !kinds.contains(0))
        let access = SecAccessControlCreateWithFlags(nil, "ak", [], nil)
        #expect(CFGetTypeID(access) == SecAccessControlGetTypeID())
        #expect(CFGetTypeID(access as Any) == SecAccessControlGetTypeID())
    }
}
