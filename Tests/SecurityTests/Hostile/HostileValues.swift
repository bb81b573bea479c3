import Foundation
import LocalAuthentication
import Security

/// Values of every kind that an app's dictionary may contain, most of which fit no key.
struct HostileValues {
    /// The values. A number stands for a context of the device that the call is made on.
    enum Value {
        case same(Any)
        case context(Int)
    }

    let all: [Value]
    static let contextCount = 3

    /// Returns the contexts of a device: an ordinary one, one that forbids prompts, and one that was invalidated.
    static func contexts() -> [LAContext] {
        let (plain, silent, ended) = (LAContext(), LAContext(), LAContext())
        plain.localizedReason = "see what happens"
        silent.interactionNotAllowed = true
        ended.invalidate()
        return [plain, silent, ended]
    }

    init() {
        let groups = [
            Self.texts(), Self.bytes(), Self.numbers(), Self.dates(), Self.nothings(), Self.containers(), Self.others(),
        ]
        all = groups.flatMap { $0 }.map(Value.same) + (0..<Self.contextCount).map(Value.context)
    }

    static func texts() -> [Any] {
        [
            "", "a", "b", "ak", "akpu", "aku", "ck", "f", "genp", "inet", "idnt", "syna", "0", "1", "-1", "7.5",
            "99999999999999999999",
            "com.example.app", "com.example.other", "com.apple.token", "*", "m_LimitOne", "m_LimitAll", "u_AuthUIA",
            "u_AuthUIF",
            "u_AuthUIS", "true", "\0", "a\0b", "e\u{301}", "\u{E9}", "👩‍👩‍👧‍👦", "\u{FEFF}", "\u{202E}x",
            "'; DROP TABLE items; --", "%_%",
            String(repeating: "x", count: 1 << 20), String(repeating: "🔑", count: 1000), Substring("part"),
            Character("c"),
            "boxed" as NSString, NSMutableString(string: "changing"), NSString(characters: [0xD800], length: 1),
            NSString(characters: [0x61, 0xDC00, 0xD800, 0x62], length: 4), AnyHashable("hashed"),
            "static" as StaticString,
            NSAttributedString(string: "attributed"),
        ]
    }

    static func bytes() -> [Any] {
        [
            Data(), Data([0]), Data("a".utf8), Data([0xFF, 0xFE, 0x80]), Data([0xED, 0xA0, 0x80]), Data(count: 1 << 20),
            Data("genp".utf8) + Data(count: 16), Data("inet".utf8) + Data(count: 8),
            Data("nope".utf8) + Data(count: 16),
            Data("genp".utf8), Data(count: 20), Data(count: 19), Data("abc".utf8).dropFirst(), NSData(),
            NSMutableData(length: 3)!,
            [UInt8](), [1, 2, 3] as [UInt8], ContiguousArray<UInt8>([1]), "a".utf8, Data("a".utf8) as AnyObject,
        ]
    }

    static func numbers() -> [Any] {
        [
            true, false, kCFBooleanTrue!, NSNumber(value: false), 0, 1, -1, 2, 42, Int.max, Int.min, Int8.min,
            UInt8.max,
            UInt64.max, UInt.max, UInt64(Int64.max) + 1, Int128.max, UInt128.max, 0.0, -0.0, 0.5, 1.0, 1e18, 1e19,
            1e300,
            Double.nan,
            Double.infinity, -Double.infinity, Double.leastNonzeroMagnitude, Float.nan, Float.infinity, Float(1),
            CGFloat.nan,
            Decimal(), Decimal(1), Decimal.nan, Decimal.greatestFiniteMagnitude, Decimal.leastFiniteMagnitude,
            Decimal(string: "0.1")!,
            NSDecimalNumber.notANumber, NSDecimalNumber.maximum, NSDecimalNumber.minimum, NSDecimalNumber.one,
            NSNumber(value: Double.nan), NSNumber(value: Double.infinity), NSNumber(value: UInt64.max),
            NSNumber(value: Int8(1)),
            NSNumber(value: 1.5), NSNumber(value: Float.nan), AnyHashable(1), AnyHashable(true), AnyHashable(Int?.none),
            5 as AnyObject, Duration.seconds(1),
        ]
    }

    static func dates() -> [Any] {
        [
            Date(timeIntervalSinceReferenceDate: 0), Date(), Date.distantPast, Date.distantFuture,
            Date(timeIntervalSinceReferenceDate: .nan), Date(timeIntervalSinceReferenceDate: .infinity),
            Date(timeIntervalSinceReferenceDate: -.infinity), Date(timeIntervalSinceReferenceDate: 1e300),
            Date(timeIntervalSinceReferenceDate: -1e300), Date(timeIntervalSinceReferenceDate: -0.0),
            Date(timeIntervalSinceReferenceDate: .signalingNaN), NSDate(), NSDate.distantPast, DateComponents(),
            Calendar.current,
        ]
    }

    static func nothings() -> [Any] {
        [
            NSNull(), kCFNull!, Any?.none as Any, Optional<Optional<Optional<Int>>>.some(.some(.none)) as Any,
            Optional<Optional<String>>.some(.some("deep")) as Any, Optional<Data>.some(Data("d".utf8)) as Any,
            Optional<NSNull>.some(NSNull()) as Any, Optional<Any>.some(Optional<Bool>.some(true) as Any) as Any, (),
            (1, "two"),
        ]
    }

    /// Lists and dictionaries, including ones that contain themselves.
    static func containers() -> [Any] {
        let ring = NSMutableArray()
        ring.add(ring)
        let loop = NSMutableDictionary()
        loop[kSecClass] = loop
        let (left, right) = (NSMutableArray(), NSMutableDictionary())
        left.add(right)
        right["left"] = left
        var nest: [Any] = []
        for _ in 0..<200 { nest = [nest] }
        return [
            ring, loop, left, right, nest, [Any](), ["a"], [1, "two", Data()] as [Any], [String: Any](),
            [kSecClass: "genp"],
            [1: 2], [AnyHashable(1): "x"] as [AnyHashable: Any], NSArray(), NSArray(object: NSNull()), NSDictionary(),
            NSSet(object: 1), Set([1, 2]), IndexSet(integer: 3), NSOrderedSet(object: "x"),
            repeatElement("r", count: 3),
            AnySequence([1]), (1...3), UnsafeRawPointer(bitPattern: 8)!, [Int?.none] as [Int?],
        ]
    }

    static func others() -> [Any] {
        final class Nobody {}
        final class Impostor: NSObject {
            override var description: String { "genp" }
            override func isEqual(_ object: Any?) -> Bool { true }
        }
        enum Choice: String { case genp }
        struct Box { let inside: Any }
        let access = ["ak", "akpu", "dk", "f"].flatMap { protection in
            [[], .biometryAny, .userPresence, .devicePasscode, .applicationPassword, .privateKeyUsage].compactMap {
                SecAccessControlCreateWithFlags(nil, protection, $0 as SecAccessControlCreateFlags, nil)
            }
        }
        return access + [
            Nobody(), Impostor(), NSObject(), Choice.genp, Box(inside: Box(inside: "genp")), Optional(Nobody()) as Any,
            { () -> String in "genp" }, { (number: Int) in number + 1 }, String.self, Nobody.self, \String.count as Any,
            UUID(), NSUUID(), URL(filePath: "/"), NSURL(fileURLWithPath: "/"), someKey, SecPolicyCreateBasicX509(),
            SecPolicyCreateSSL(true, "genp" as CFString),
            NSError(domain: "d", code: 1), CancellationError(), Result<Int, any Error>.success(1),
            SecAccessControlCreateFlags.userPresence, kCFAllocatorDefault!, LAError(.userCancel), Mirror(reflecting: 1),
            ObjectIdentifier(NSObject()), Locale.current, NSRegularExpression.self,
            UnsafeMutablePointer<Int>(bitPattern: 16)!,
            Unmanaged.passUnretained(kCFNull!), SystemRandomNumberGenerator(), "genp"[...], Selector.self as Any,
        ]
    }
}

private struct Selector {}
