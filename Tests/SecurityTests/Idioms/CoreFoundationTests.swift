import Foundation
import LatchkeyTesting
import Security
import Testing

/// The names of Core Foundation that code around the keychain uses.
@Suite struct CoreFoundationTests {
    @Test func bytesCrossWithoutACopy() throws {
        #expect(roundTrip([1, 2, 3]) == [1, 2, 3] && roundTrip([UInt8](repeating: 7, count: 5000)).count == 5000)
        let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: 2)
        defer { bytes.deallocate() }
        bytes[0] = 1
        bytes[1] = 2
        let data = try #require(CFDataCreateWithBytesNoCopy(nil, bytes, 2, kCFAllocatorNull))
        bytes[1] = 3
        #expect(data as Data == Data([1, 3]))
        for data in [data, Data([4, 3]) as CFData, Data(repeating: 3, count: 5000) as CFData] {
            withExtendedLifetime(data) { #expect(CFDataGetBytePtr(data)[1] == 3) }
        }
    }

    @Test(arguments: [nil, kCFAllocatorDefault, kCFAllocatorMalloc, kCFAllocatorSystemDefault])
    func dataOwnsBytesOfAnyOtherAllocator(_ deallocator: CFAllocator?) throws {
        let memory = try #require(malloc(1)).assumingMemoryBound(to: UInt8.self)
        memory.pointee = 9
        let data = try #require(CFDataCreateWithBytesNoCopy(kCFAllocatorDefault, memory, 1, deallocator))
        #expect(data as Data == Data([9]))
    }

    @Test func argumentsWithoutSenseGiveNothing() {
        #expect(CFDataCreateWithBytesNoCopy(nil, nil, 1, kCFAllocatorNull) == nil)
        #expect(CFDataCreateWithBytesNoCopy(nil, [1], -1, kCFAllocatorNull) == nil)
        #expect(CFDataCreateWithBytesNoCopy(nil, nil, 0, kCFAllocatorNull)?.length == 0)
        #expect(CFStringCreateWithCString(nil, nil, CFStringBuiltInEncodings.UTF8.rawValue) == nil)
        #expect(CFStringCreateWithCString(nil, "a", 12345) == nil)
        #expect(CFStringCreateWithCString(nil, "\u{e9}", CFStringBuiltInEncodings.ASCII.rawValue) == nil)
    }

    @Test func aTextOfCIsReadInItsEncoding() {
        let utf8 = CFStringBuiltInEncodings.UTF8.rawValue
        #expect(CFStringCreateWithCString(kCFAllocatorDefault, "caf\u{e9}", utf8) as String? == "caf\u{e9}")
        let latin: [CChar] = [0x63, CChar(bitPattern: 0xE9), 0]
        #expect(CFStringCreateWithCString(nil, latin, CFStringBuiltInEncodings.isoLatin1.rawValue) == "c\u{e9}")
        #expect(CFStringCreateWithCString(nil, latin, utf8) == nil)
        #expect(CFStringCreateWithCString(nil, "a", CFStringBuiltInEncodings.ASCII.rawValue) == "a")
    }

    @Test func theKeysOfABundleAreApples() {
        #expect(kCFBundleIdentifierKey as String == "CFBundleIdentifier" && kCFBundleNameKey == "CFBundleName")
        #expect(kCFBundleVersionKey as String == "CFBundleVersion" && kCFBundleExecutableKey == "CFBundleExecutable")
        #expect(appTexts().count == 4)
    }

    /// `CFNumber` and `CFBoolean` are both `NSNumber`, as every cast of real code needs.
    @Test func aBooleanIsAllThatAppsTakeItFor() {
        let value: Any = kCFBooleanTrue as Any
        #expect(kCFBooleanTrue as? Bool == true && value as? Bool == true && value as? NSNumber == 1)
        let boolean = value as! CFBoolean
        #expect(true as CFBoolean == kCFBooleanTrue && CFBooleanGetValue(boolean))
        let attributes: [String: Any] = ["sync": kCFBooleanFalse as Any, "port": 443 as CFNumber]
        #expect(attributes["sync"] as? Bool == false && attributes["port"] as? Int == 443)
    }

    @Test func collectionsAreFoundations() {
        let set = Set(["a", "b"]) as CFSet
        #expect(CFSetGetCount(set) == 2 && CFGetTypeID(set) == CFSetGetTypeID())
        #expect(CFEqual(set, Set(["b", "a"]) as CFSet) && !CFEqual(set, Set(["a"]) as CFSet))
        let query: CFMutableDictionary = [kSecClass: kSecClassGenericPassword]
        SimulatedDevice().run { #expect(SecItemCopyMatching(query, nil) == errSecItemNotFound) }
    }
}
