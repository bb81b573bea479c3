import Foundation
import LatchkeyTesting
import LocalAuthentication
import Security
import Testing

/// Calls with Foundation's dictionaries, as real code hands them over.
@Suite struct DictionaryIdiomTests {
    @Test func foundationsDictionariesAreReadAsSwiftsAre() {
        SimulatedDevice().run {
            let store = LegacyStore(account: "ann")
            #expect(!store.exists() && store.read() == nil)
            #expect(store.add("secret") == errSecSuccess && store.read() == "secret")
            #expect(store.updates(to: "another").allSatisfy { $0 == errSecSuccess } && store.read() == "another")
            #expect(store.exists() && store.delete() == errSecSuccess && !store.exists())
        }
    }

    /// A literal stays a Swift dictionary, with and without a cast.
    @Test func aLiteralIsNotAmbiguous() {
        SimulatedDevice().run {
            #expect(SecItemAdd([kSecClass: kSecClassGenericPassword, kSecAttrAccount: "a"], nil) == errSecSuccess)
            let texts = [kSecClass as String: kSecClassGenericPassword, kSecAttrAccount as String: "b"]
            #expect(SecItemAdd(texts as CFDictionary, nil) == errSecSuccess)
            #expect(SecItemAdd(texts as NSDictionary, nil) == errSecDuplicateItem)
            var found: CFTypeRef?
            #expect(
                SecItemCopyMatching(
                    [
                        kSecClass: kSecClassGenericPassword, kSecMatchLimit: kSecMatchLimitAll,
                        kSecReturnAttributes: true,
                    ]
                        as CFDictionary, &found) == errSecSuccess)
            #expect((found as? [[String: Any]])?.count == 2)
            #expect(SecItemUpdate([kSecClass: kSecClassGenericPassword], [kSecAttrComment: "c"]) == errSecSuccess)
            #expect(SecItemDelete([kSecClass: kSecClassGenericPassword]) == errSecSuccess)
            #expect(SecItemDelete([:]) == errSecParam)
        }
    }

    @Test func aCallIsAValue() {
        SimulatedDevice().run {
            let calls = KeychainCalls()
            let item: [String: Any] = [kSecClass as String: kSecClassGenericPassword]
            #expect(calls.add(item as CFDictionary, nil) == errSecSuccess)
            #expect(calls.copyMatching(item as CFDictionary, nil) == errSecSuccess)
            #expect(calls.update(item as CFDictionary, [kSecAttrComment: "c"]) == errSecSuccess)
            #expect(calls.delete(item as CFDictionary) == errSecSuccess)
        }
    }

    @Test func objectsInADictionaryAreThemselves() throws {
        let device = SimulatedDevice()
        try device.run {
            let access = try #require(
                SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, .userPresence, nil))
            let context = LAContext()
            context.localizedReason = "a test"
            let item: NSDictionary = [
                kSecClass: kSecClassGenericPassword, kSecAttrAccessControl: access, kSecValueData: Data([1]) as CFData,
                kSecAttrSynchronizable: false, kSecAttrCreationDate: Date(), kSecAttrCreator: 7,
            ]
            #expect(SecItemAdd(item, nil) == errSecSuccess)
            let query: NSDictionary = [
                kSecClass: kSecClassGenericPassword, kSecUseAuthenticationContext: context, kSecReturnData: true,
            ]
            var found: CFTypeRef?
            #expect(SecItemCopyMatching(query, &found) == errSecSuccess && found as? Data == Data([1]))
            #expect(device.prompts.map(\.reason) == ["a test"])
        }
    }

    /// The same query is refused with the same status in both forms.
    @Test func whatIsWrongIsAsWrongInBoth() {
        SimulatedDevice().run {
            let itself = NSMutableDictionary(object: kSecClassGenericPassword, forKey: kSecClass as NSString)
            itself[kSecAttrAccount] = itself
            let list = NSMutableArray()
            list.add(list)
            for wrong: NSDictionary in [
                itself, [kSecClass: list], [kSecClass: NSNull()], [1: 2], [:],
            ] {
                #expect(SecItemAdd(wrong, nil) == errSecParam)
                #expect(SecItemCopyMatching(wrong, nil) == errSecParam)
                #expect(SecItemDelete(wrong) == errSecParam)
            }
            #expect(SecItemCopyMatching([kSecClass: "none"] as NSDictionary, nil) == errSecNoSuchClass)
        }
    }

    @Test func aKeyIsMadeFromFoundationsDictionaries() throws {
        try SimulatedDevice().run {
            let (mine, other) = (try SampleKey(), try SampleKey())
            let secret = try mine.agreed(with: #require(other.publicData))
            #expect(try secret?.count == 32 && secret == other.agreed(with: #require(mine.publicData)))
            let (publicKey, privateKey) = try #require(legacyPair())
            #expect(SecKeyCopyPublicKey(privateKey) == publicKey)
            #expect(identities(in: Data([1]), "") == nil)
        }
    }
}
