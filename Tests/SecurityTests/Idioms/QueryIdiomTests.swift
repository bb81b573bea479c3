import Foundation
import LatchkeyTesting
import LocalAuthentication
import Security
import Testing

/// The ways in which apps write queries and read results. Each has to compile, and to mean what it means on Apple's
/// platforms.
@Suite struct QueryIdiomTests {
    private func onDevice(_ body: () throws -> Void) rethrows {
        try SimulatedDevice().run {
            let item: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "service",
                kSecAttrAccount as String: "ann", kSecValueData as String: Data("secret".utf8),
            ]
            #expect(SecItemAdd(item as CFDictionary, nil) == errSecSuccess)
            try body()
        }
    }

    private func secret(_ query: CFDictionary) -> String? {
        var item: CFTypeRef?
        guard SecItemCopyMatching(query, &item) == errSecSuccess, let data = item as? Data else { return nil }
        return String(data: data, encoding: .utf8)
    }

    @Test func aDictionaryIsWrittenInAnyOfItsWays() {
        onDevice {
            let ofTexts: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword, kSecAttrAccount as String: "ann",
                kSecReturnData as String: true, kSecMatchLimit as String: kSecMatchLimitOne,
            ]
            #expect(secret(ofTexts as CFDictionary) == "secret")

            let ofKeys: [CFString: Any] = [
                kSecClass: kSecClassGenericPassword, kSecAttrAccount: "ann", kSecReturnData: kCFBooleanTrue!,
            ]
            #expect(secret(ofKeys as CFDictionary) == "secret")

            let ofObjects: [String: AnyObject] = [
                kSecClass as String: kSecClassGenericPassword as AnyObject,
                String(kSecAttrAccount): "ann" as AnyObject, kSecReturnData as String: kCFBooleanTrue,
            ]
            #expect(secret(ofObjects as CFDictionary) == "secret")

            var ofTextsAndObjects = [String: AnyObject]()
            ofTextsAndObjects[kSecClass as String] = kSecClassGenericPassword
            ofTextsAndObjects[kSecReturnData as String] = kCFBooleanTrue
            #expect(secret(ofTextsAndObjects as CFDictionary) == "secret")

            let ofAnything: [AnyHashable: Any] = [kSecClass: kSecClassGenericPassword, "r_Data": true]
            #expect(secret(ofAnything as CFDictionary) == "secret")

            let ofKeysAndObjects: [CFString: AnyObject] = [
                kSecClass: kSecClassGenericPassword as CFTypeRef, kSecAttrAccount: "ann" as NSString,
                kSecReturnData: true as NSNumber, kSecAttrSynchronizable: false as AnyObject,
                kSecReturnAttributes: false as AnyObject,
            ]
            #expect(secret(ofKeysAndObjects as CFDictionary) == "secret")

            let ofHashables: [String: AnyHashable] = [
                kSecClass as String: kSecClassGenericPassword, kSecAttrAccount as String: "ann",
                kSecReturnData as String: true, kSecMatchLimit as String: 1, kSecAttrSynchronizable as String: false,
            ]
            #expect(secret(ofHashables as CFDictionary) == "secret")

            let written =
                [
                    kSecClass: kSecClassGenericPassword, kSecAttrAccount: "ann", kSecReturnData: kCFBooleanTrue as Any,
                ] as CFDictionary
            #expect(secret(written) == "secret")
            let withCast =
                [kSecClass: kSecClassGenericPassword, kSecReturnData: true] as [CFString: Any] as CFDictionary
            #expect(secret(withCast) == "secret")
        }
    }

    @Test func aConstantAndItsTextAreOneKey() throws {
        try onDevice {
            var query: [AnyHashable: Any] = [kSecClass: kSecClassGenericPassword, kSecAttrAccount: "nobody"]
            query["acct"] = "ann"
            query[kSecReturnAttributes] = true
            query[kSecMatchLimit as String] = kSecMatchLimitAll
            #expect(query.count == 4 && query["r_Attributes"] as? Bool == true)
            var item: CFTypeRef?
            #expect(SecItemCopyMatching(query as CFDictionary, &item) == errSecSuccess)
            let found = try #require(item as? [[AnyHashable: Any]])
            #expect(found.map { $0[kSecAttrAccount] as? String } == ["ann"])
            #expect(found.map { $0["acct"] as? String } == ["ann"])
        }
    }

    @Test func theKeysOfAResultAreSwitchedOverAndItsValuesAreCastByForce() {
        onDevice {
            let query: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecReturnAttributes: true]
            var result: CFTypeRef?
            #expect(SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess)
            var seen = 0
            for (key, value) in result as! [String: Any] {
                switch key {
                case kSecAttrAccount as CFString: #expect(value as! String == "ann")
                case String(kSecAttrService): #expect(value as! CFString == "service" as CFString)
                case kSecAttrAccessible as CFString: #expect(value as! CFString == kSecAttrAccessibleWhenUnlocked)
                case String(kSecAttrSynchronizable): #expect((value as! CFNumber) == kCFBooleanFalse)
                default: seen -= 1
                }
                seen += 1
            }
            #expect(seen == 4)
        }
    }

    @Test func whatNobodyGaveOfTheKeyIsATextToo() throws {
        try SimulatedDevice().run {
            let item: [CFString: Any] = [kSecClass: kSecClassInternetPassword, kSecAttrServer: "example.com"]
            var added = item
            added[kSecReturnAttributes] = true
            var result: CFTypeRef?
            #expect(SecItemAdd(added as CFDictionary, &result) == errSecSuccess)
            let attributes = try #require(result as? [String: Any])
            for key in [kSecAttrAccount, kSecAttrPath, kSecAttrSecurityDomain, kSecAttrAuthenticationType] {
                #expect(attributes[key as String] as? String == "", "\(key)")
            }
            for nothing in ["", Data()] as [Any] {
                var query = item
                query[kSecAttrPath] = nothing
                #expect(SecItemCopyMatching(query as CFDictionary, nil) == errSecSuccess)
            }
        }
    }

    @Test func aConstantAndItsTextAreAlikeWhereverTheyAreCompared() {
        let written: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword, kSecAttrAccessible as String: kSecAttrAccessibleWhenUnlocked,
            kSecAttrAccount as String: "ann",
        ]
        #expect(NSDictionary(dictionary: written).isEqual(to: written))
        let ofHashables: [String: AnyHashable] = [kSecClass as String: kSecClassGenericPassword]
        #expect(ofHashables == [kSecClass as String: AnyHashable("genp")])
        #expect(ofHashables != [kSecClass as String: AnyHashable("inet")])
        #expect(Set<AnyHashable>([kSecAttrAccount, "acct", kSecAttrService]).count == 2)
        #expect(AnyHashable(kSecAttrAccount).hashValue == AnyHashable("acct").hashValue)
    }

    @Test func aDictionaryIsBuiltStepByStep() {
        onDevice {
            var query = [String: Any]()
            query[kSecClass as String] = kSecClassGenericPassword
            query[String(kSecAttrService)] = "service"
            query[kSecAttrAccount.description] = "ann"
            query.merge([kSecReturnData as String: kCFBooleanTrue as Any]) { _, new in new }
            query[kSecAttrSynchronizable as String] = kCFBooleanFalse
            #expect(secret(query as CFDictionary) == "secret")
            query.removeValue(forKey: kSecAttrService as String)
            query[kSecAttrAccount as String] = Optional("ann")
            #expect(secret(query as CFDictionary) == "secret")
        }
    }

    @Test func aResultIsTakenAsWhatItIs() throws {
        try onDevice {
            var query: [String: Any] = [kSecClass as String: kSecClassGenericPassword, kSecReturnData as String: true]
            var item: AnyObject?
            #expect(SecItemCopyMatching(query as CFDictionary, &item) == noErr)
            #expect(item as? Data == Data("secret".utf8))
            #expect(item as! CFData as Data == Data("secret".utf8))
            #expect((item as? NSData)?.length == 6)
            #expect(item as? String == nil && item as? [String: Any] == nil)

            query[kSecMatchLimit as String] = kSecMatchLimitAll
            #expect(SecItemCopyMatching(query as CFDictionary, &item) == noErr)
            #expect(item as? [Data] == [Data("secret".utf8)])
            #expect((item as? [AnyObject])?.count == 1 && (item as? NSArray)?.count == 1)

            query[kSecReturnAttributes as String] = true
            #expect(SecItemCopyMatching(query as CFDictionary, &item) == noErr)
            let items = try #require(item as? [[String: Any]])
            #expect(items.first?[kSecAttrAccount as String] as? String == "ann")
            #expect((item as? [[String: AnyHashable]])?.first?[kSecAttrAccount as String] as? String == "ann")
            #expect((item as? [[CFString: Any]])?.first?[kSecAttrAccount] as? String == "ann")
            #expect((item as? [NSDictionary])?.first?[kSecAttrAccount as String] as? String == "ann")

            query[kSecMatchLimit as String] = 1
            #expect(SecItemCopyMatching(query as CFDictionary, &item) == noErr)
            let one = try #require(item as? [String: Any])
            #expect(one[kSecValueData as String] as? Data == Data("secret".utf8))
            #expect(one[kSecAttrCreationDate as String] is Date)
            let dictionary = try #require(item as? NSDictionary)
            #expect(dictionary[kSecAttrService] as? String == "service")
            #expect(dictionary.object(forKey: kSecValueData as NSString) as? Data == Data("secret".utf8))
            #expect((item as? [String: AnyObject])?[kSecAttrAccount as String] as? String == "ann")
            #expect((item as? CFDictionary).map(CFDictionaryGetCount) == one.count)
        }
    }

    @Test func aPointerIsMadeByHand() {
        onDevice {
            let query = [kSecClass: kSecClassGenericPassword, kSecReturnData: true] as [CFString: Any]
            var result: AnyObject?
            let status = withUnsafeMutablePointer(to: &result) {
                SecItemCopyMatching(query as CFDictionary, UnsafeMutablePointer($0))
            }
            #expect(status == errSecSuccess && result is Data)

            var reference: CFTypeRef?
            let statusOfReference = SecItemCopyMatching(query as CFDictionary, &reference)
            guard statusOfReference == errSecSuccess, let data = reference as? Data else {
                Issue.record("nothing was found")
                return
            }
            #expect(data.count == 6)
        }
    }

    @Test func anAccessControlGoesIntoADictionaryAndComesBack() throws {
        try onDevice {
            var error: Unmanaged<CFError>?
            guard
                let access = SecAccessControlCreateWithFlags(
                    kCFAllocatorDefault, kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
                    [.biometryAny, .or, .devicePasscode],
                    &error)
            else { throw error!.takeRetainedValue() as any Error }
            for (account, value) in [("any", access as Any), ("object", access as AnyObject), ("itself", access)] {
                let item: [String: Any] = [
                    kSecClass as String: kSecClassGenericPassword, kSecAttrAccount as String: account,
                    kSecAttrAccessControl as String: value, kSecValueData as String: Data(account.utf8),
                ]
                #expect(SecItemAdd(item as CFDictionary, nil) == errSecSuccess)
                let context = LAContext()
                context.localizedReason = "open it"
                let query: [String: Any] = [
                    kSecClass as String: kSecClassGenericPassword, kSecAttrAccount as String: account,
                    kSecReturnAttributes as String: true, kSecUseAuthenticationContext as String: context,
                ]
                var found: CFTypeRef?
                #expect(SecItemCopyMatching(query as CFDictionary, &found) == errSecSuccess)
                let attributes = try #require(found as? [String: Any])
                let anything = try #require(attributes[kSecAttrAccessControl as String])
                #expect(CFGetTypeID(anything as CFTypeRef) == SecAccessControlGetTypeID())
                #expect(attributes[kSecAttrAccessControl as String] as! SecAccessControl == access)
            }
        }
    }

    @Test func lettersAreNumbers() throws {
        try onDevice {
            let creator = "Ltch".utf8.reduce(FourCharCode(0)) { $0 << 8 | FourCharCode($1) }
            let query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword, kSecAttrAccount as String: "ann",
            ]
            let creators: [Any] = [creator, NSNumber(value: creator), Int(creator), OSType(creator), UInt32.max]
            for value in creators {
                let changes = [kSecAttrCreator as String: value, kSecAttrType as String: value]
                #expect(SecItemUpdate(query as CFDictionary, changes as CFDictionary) == errSecSuccess)
                var found: CFTypeRef?
                let wanted = query.merging([kSecReturnAttributes as String: true]) { $1 }
                #expect(SecItemCopyMatching(wanted as CFDictionary, &found) == errSecSuccess)
                let kept = try #require((found as? [String: Any])?[kSecAttrCreator as String] as? NSNumber)
                #expect(kept == (value as? NSNumber ?? kept) && kept.uint32Value >= creator)
            }
        }
    }

    @Test func allKindsOfNumbersAreNumbers() {
        onDevice {
            for limit: Any in [
                2, Int8(2), UInt64(2), NSNumber(value: 2), 2.0, Float(2), Decimal(2), Optional(2) as Any,
            ] {
                var found: CFTypeRef?
                let query =
                    [kSecClass: kSecClassGenericPassword, kSecReturnData: true, kSecMatchLimit: limit] as CFDictionary
                #expect(SecItemCopyMatching(query, &found) == errSecSuccess, "\(type(of: limit))")
                #expect((found as? [Data])?.count == 1, "\(type(of: limit))")
            }
        }
    }
}
