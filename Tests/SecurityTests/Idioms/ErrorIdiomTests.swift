import Foundation
import LatchkeyTesting
import Security
import Testing

// Apps declare this for Apple's types themselves, with `@retroactive`, as those belong to another module.
extension SecAccessControl: @unchecked Sendable {}

/// The ways in which apps turn statuses into errors. Each has to compile, and to mean what it means on Apple's
/// platforms.
@Suite struct ErrorIdiomTests {
    private struct KeychainFailure: RawRepresentable, Error, Equatable, LocalizedError {
        let rawValue: OSStatus
        static let itemNotFound = KeychainFailure(rawValue: errSecItemNotFound)
        var errorDescription: String? { SecCopyErrorMessageString(rawValue, nil) as String? }
    }

    private enum Status: OSStatus, Error, CaseIterable {
        case success = 0
        case duplicateItem = -25299
        case notFound = -25300
        case unexpected = -99999

        init(status: OSStatus) { self = Status(rawValue: status) ?? .unexpected }
    }

    private enum Failure: Error, Equatable {
        case notFound, duplicate, unhandled(status: OSStatus)

        init?(_ status: OSStatus) {
            switch status {
            case errSecSuccess, noErr: return nil
            case errSecItemNotFound: self = .notFound
            case errSecDuplicateItem: self = .duplicate
            case let other: self = .unhandled(status: other)
            }
        }
    }

    private func refusal() -> Unmanaged<CFError>? {
        var error: Unmanaged<CFError>?
        let access = SecAccessControlCreateWithFlags(
            kCFAllocatorDefault, kSecAttrAccessibleWhenUnlocked, [.or, .and], &error)
        #expect(access == nil)
        return error
    }

    @Test func anErrorIsTakenOutOfItsReference() throws {
        let error = try #require(refusal()).takeRetainedValue() as any Error
        #expect((error as NSError).code == Int(errSecParam))
        let again = try #require(refusal()).takeRetainedValue() as any Swift.Error as NSError
        #expect(again.domain == NSOSStatusErrorDomain && again.domain == kCFErrorDomainOSStatus as String)
        #expect(throws: NSError.self) { throw try #require(refusal()).takeRetainedValue() }
        let third = try #require(refusal()).takeRetainedValue()
        #expect(CFErrorGetCode(third) == Int(errSecParam))
        #expect(CFErrorGetDomain(third) as String == NSOSStatusErrorDomain)
        #expect(CFErrorCopyDescription(third) as String == SecCopyErrorMessageString(errSecParam, nil) as String?)
        #expect(CFErrorCopyFailureReason(third) == nil)
        #expect((CFErrorCopyUserInfo(third) as NSDictionary).count == 1)
        #expect(OSStatus(CFErrorGetCode(third)) == errSecParam)
        #expect(CFGetTypeID(third) == CFErrorGetTypeID())
        let reference = refusal()
        defer { reference?.release() }
        #expect(reference?.takeUnretainedValue().code == Int(errSecParam))
    }

    @Test func anErrorIsMadeOfAStatus() {
        let error = NSError(domain: NSOSStatusErrorDomain, code: Int(errSecDuplicateItem), userInfo: nil)
        #expect(error.code == Int(errSecDuplicateItem))
        let told = NSError(
            domain: NSOSStatusErrorDomain, code: Int(errSecAuthFailed),
            userInfo: [NSLocalizedDescriptionKey: SecCopyErrorMessageString(errSecAuthFailed, nil) ?? "?" as CFString])
        #expect(told.localizedDescription == "The user name or passphrase you entered is not correct.")
        let made = CFErrorCreate(nil, kCFErrorDomainOSStatus, CFIndex(errSecIO), [kCFErrorLocalizedDescriptionKey: "x"])
        #expect(made?.localizedDescription == "x" && made.map(CFErrorGetCode) == Int(errSecIO))
    }

    @Test func aTextIsTakenOfAStatus() {
        #expect(
            SecCopyErrorMessageString(errSecItemNotFound, nil) as String?
                == KeychainFailure.itemNotFound.errorDescription)
        #expect((SecCopyErrorMessageString(errSecIO, nil) ?? "" as CFString) as String == "I/O error.")
        if let text = SecCopyErrorMessageString(errSecParam, nil) { #expect(String(text).hasPrefix("One or more")) }
        #expect(
            KeychainFailure.itemNotFound.localizedDescription
                == "The specified item could not be found in the keychain.")
    }

    @Test func aStatusIsSwitchedOver() {
        SimulatedDevice().run {
            let query = [kSecClass: kSecClassGenericPassword, kSecAttrAccount: "a"] as [CFString: Any]
            #expect(Failure(SecItemCopyMatching(query as CFDictionary, nil)) == .notFound)
            #expect(Failure(SecItemAdd(query as CFDictionary, nil)) == nil)
            #expect(Failure(SecItemAdd(query as CFDictionary, nil)) == .duplicate)
            #expect(Failure(SecItemDelete([:] as CFDictionary)) == .unhandled(status: errSecParam))
            #expect(Status(status: SecItemAdd(query as CFDictionary, nil)) == .duplicateItem)
            #expect(Status(status: errSecIO) == .unexpected)
            guard case errSecDuplicateItem = SecItemAdd(query as CFDictionary, nil) else {
                Issue.record("added twice")
                return
            }
            let matched = errSecItemNotFound ~= SecItemDelete([kSecClass: kSecClassKey] as CFDictionary)
            #expect(matched)
        }
    }

    @Test func bytesAreDrawnAtRandom() {
        var bytes = [UInt8](repeating: 0, count: 64)
        #expect(SecRandomCopyBytes(kSecRandomDefault, bytes.count, &bytes) == errSecSuccess)
        #expect(Set(bytes).count > 8)
        var data = Data(count: 64)
        let count = data.count
        let status = data.withUnsafeMutableBytes { SecRandomCopyBytes(kSecRandomDefault, count, $0.baseAddress!) }
        #expect(status == errSecSuccess && Set(data).count > 8 && Array(data) != bytes)
        var nothing: [UInt8] = []
        #expect(SecRandomCopyBytes(nil, 0, &nothing) == errSecSuccess)
        #expect(SecRandomCopyBytes(nil, -1, &nothing) == errSecParam)
    }

    @Test func anAccessControlGoesToAnotherTask() async throws {
        let access = try #require(SecAccessControlCreateWithFlags(nil, "ak", .userPresence, nil))
        let description = await Task.detached { access.description }.value
        #expect(description == access.description)
    }

    @Test func valuesSayWhatTheyAre() {
        let kinds: [(Any?, CFTypeID)] = [
            ("text", CFStringGetTypeID()), ("text" as NSString, CFStringGetTypeID()), (Data(), CFDataGetTypeID()),
            (NSData(), CFDataGetTypeID()), (true, CFBooleanGetTypeID()), (kCFBooleanFalse, CFBooleanGetTypeID()),
            (NSNumber(value: true), CFBooleanGetTypeID()), (1, CFNumberGetTypeID()), (1.5, CFNumberGetTypeID()),
            (NSNumber(value: 1), CFNumberGetTypeID()), (Date(), CFDateGetTypeID()), (NSNull(), CFNullGetTypeID()),
            (kCFNull, CFNullGetTypeID()), ([1, 2], CFArrayGetTypeID()), (["a": 1], CFDictionaryGetTypeID()),
            (NSArray(), CFArrayGetTypeID()), (NSMutableDictionary(), CFDictionaryGetTypeID()), (nil, 0),
            (someKey, SecKeyGetTypeID()), (refusal()?.takeRetainedValue(), CFErrorGetTypeID()),
        ]
        for (value, kind) in kinds {
            #expect(CFGetTypeID(value) == kind, "\(String(describing: value))")
            #expect(CFGetTypeID(value as AnyObject?) == kind, "\(String(describing: value)) as an object")
        }
        #expect(CFBooleanGetValue(kCFBooleanTrue) && !CFBooleanGetValue(kCFBooleanFalse))
        #expect(CFStringGetLength("a🔑" as CFString) == 3 && CFDataGetLength(Data([1, 2]) as CFData) == 2)
        #expect(CFArrayGetCount([1, 2, 3]) == 3)
        #expect(CFDataCreate(nil, [1, 2, 3], 2) as Data? == Data([1, 2]))
        #expect(CFDataCreate(nil, nil, 0) as Data? == Data() && CFDataCreate(nil, nil, 1) == nil)
    }

    @Test func valuesAreTheSameHoweverTheyAreBoxed() {
        let access = SecAccessControlCreateWithFlags(nil, "ak", .userPresence, nil)
        let same = SecAccessControlCreateWithFlags(nil, "ak", .userPresence, nil)
        let object = NSObject()
        let equal: [(Any?, Any?)] = [
            ("a", "a" as NSString), (Data([1]), NSData(data: Data([1]))), (1, NSNumber(value: 1)), (1, 1.0),
            (true, kCFBooleanTrue), (access, same), (NSNull(), kCFNull), (object, object),
            (["a", ["b": 1]] as [Any], NSArray(array: ["a", NSDictionary(dictionary: ["b": 1])])),
            (Date(timeIntervalSince1970: 5), NSDate(timeIntervalSince1970: 5)), ("a", Optional("a") as Any),
        ]
        for (left, right) in equal {
            #expect(CFEqual(left, right) && CFEqual(right, left), "\(String(describing: left))")
        }
        let different: [(Any?, Any?)] = [
            (nil, nil), ("a", nil), ("a", "b"), ("a", Data("a".utf8)), (true, 1), (1, 2), ([1], [1, 2]), ([1], [2]),
            (["a": 1], ["a": 2]), (["a": 1], ["b": 1]), (object, NSObject()), (access, "ak"),
        ]
        for (left, right) in different {
            #expect(!CFEqual(left, right) && !CFEqual(right, left), "\(String(describing: left))")
        }
    }
}
