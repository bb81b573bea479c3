import Foundation
import LatchkeyTesting
import Security
import Testing

/// Semantics 4.2: the factors that the flags of an access control need for a read.
@Suite struct Section4_02_Constraints {
    @Test(arguments: facts) func holds(_ fact: Fact) { fact.check() }

    /// The prompts of a read, and its result.
    private static func reads(
        _ words: String, _ expected: String, _ flags: SecAccessControlCreateFlags, _ user: Person? = nil,
        on device: @escaping @autoclosure @Sendable () -> SimulatedDevice = SimulatedDevice()
    ) -> Fact {
        Fact(words, .code, expected, on: device()) { play in
            let added = play.add(genp("a").guarded(by: flags).holding("x").within(context(password: "p")))
            if let user { play.device.user = user }
            play.device.clearRecords()
            return [added, play.copy(genp("a").data), play.prompts]
        }
    }

    private static let finger = Person(fingers: ["right index"])
    private static let passcode = Person(passcode: "1234")
    private static let both = Person(fingers: ["right index"], passcode: "1234")

    static let facts: [Fact] = [
        reads("no flags: everything is allowed", "0; 0 x; -", [], .absent),
        reads("or alone: everything is allowed", "0; 0 x; -", .or, .absent),
        reads("one constraint: it is asked for", "0; 0 x; passcode", .devicePasscode),
        reads("one constraint and or: the same", "0; 0 x; biometry", [.biometryAny, .or]),
        reads("several without or: all of them", "0; 0 x; biometry,passcode", [.biometryAny, .devicePasscode], both),
        reads(
            "several with and: all of them", "0; 0 x; biometry,passcode", [.biometryAny, .devicePasscode, .and], both),
        reads(
            "several without or: one is not enough", "0; -128; biometry,passcode", [.biometryAny, .devicePasscode],
            finger),
        reads("several with or: one is enough", "0; 0 x; biometry", [.biometryAny, .devicePasscode, .or], finger),
        reads(
            "several with or: and so is the other", "0; 0 x; biometry,passcode", [.biometryAny, .devicePasscode, .or],
            passcode),
        reads(
            "the application's password: in addition, also with or", "0; 0 x; biometry,applicationPassword",
            [.biometryAny, .devicePasscode, .or, .applicationPassword],
            Person(fingers: ["right index"], passcode: "1234", applicationPassword: "p")),
        reads(
            "the application's password alone: nothing else is asked", "0; 0 x; applicationPassword",
            .applicationPassword, Person(applicationPassword: "p")),
        Fact("a guarded item: it is stored and deleted by anybody, changed by nobody else", .code, "0; -128; 0; 0") {
            play in
            play.device.user = .absent
            let item = genp("a").guarded(by: .devicePasscode)
            return [
                play.add(item), play.update(genp("a"), [kSecAttrLabel: "x"]), play.delete(genp("a")),
                play.add(item),
            ]
        },
        Fact("the protection of the access control is the item's", .code, "0 pdmn='ck'; 0; -25300") { play in
            _ = play.add(genp("a").guarded(by: [], kSecAttrAccessibleAfterFirstUnlock))
            return [
                play.copy(genp("a").attributes, showing: "pdmn"), play.copy(genp("a").under("ck")),
                play.copy(genp("a").under("ak")),
            ]
        },
        Fact("the access control of an item is equal to the one it was made with", .code, "true; false; false") {
            play in
            _ = play.add(genp("a").guarded(by: .biometryCurrentSet))
            let found = play.attributes(of: genp("a"))[kSecAttrAccessControl]
            return [access(.biometryCurrentSet), access(.biometryAny), access(.biometryCurrentSet, "ck")].map {
                "\(CFEqual(found, $0))"
            }
        },
        Fact("and binds what is stored with it to the enrollments of then", .code, "0; 0; -25300; 0 b") { play in
            _ = play.add(genp("a").guarded(by: .biometryCurrentSet).holding("a"))
            let found = play.attributes(of: genp("a"))[kSecAttrAccessControl] as Any
            play.device.enroll("left thumb")
            return [
                play.add(genp("b", [kSecAttrAccessControl: found]).holding("b")),
                play.copy(genp("b").data).replacing("0 b", with: "0"),
                play.copy(genp("a")), play.copy(genp("b").data),
            ]
        },
    ]
}
