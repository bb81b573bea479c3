import Foundation
import LatchkeyTesting
import LocalAuthentication
import Security
import Testing

/// Semantics 4.4: the calls on a protected item that prompt, and their results.
@Suite struct Section4_04_Asking {
    @Test(arguments: facts) func holds(_ fact: Fact) { fact.check() }

    /// The result and the prompts of a call on a protected item, and its result where prompts are forbidden.
    private static func asks(
        _ words: String, _ evidence: Fact.Evidence, _ expected: String,
        on device: @escaping @autoclosure @Sendable () -> SimulatedDevice = SimulatedDevice(),
        _ call: @escaping @Sendable (Play, [CFString: Any]) -> String
    ) -> Fact {
        Fact(words, evidence, expected, on: device()) { play in
            for account in ["a", "b"] { _ = play.add(genp(account).guarded(by: .biometryAny).holding("x")) }
            play.device.clearRecords()
            return [call(play, genp("a")), play.prompts, call(play, genp("b").failing), play.prompts]
        }
    }

    /// The result of reading a protected item with this entry in the dictionary.
    private static func interface(
        _ words: String, _ expected: String, _ more: @escaping @Sendable () -> [CFString: Any]
    ) -> Fact {
        Fact(words, .test, expected) { play in
            _ = play.add(genp("a").guarded(by: .biometryAny).holding("x"))
            return [play.copy(genp("a").data.with(more())), play.prompts, play.copy(genp("z").with(more()))]
        }
    }

    /// The result of reading a protected item.
    private static func ends(
        _ words: String, _ evidence: Fact.Evidence, _ expected: String, _ flags: SecAccessControlCreateFlags,
        _ before: @escaping @Sendable (SimulatedDevice) -> Void
    ) -> Fact {
        Fact(words, evidence, expected) { play in
            _ = play.add(genp("a").guarded(by: flags).holding("x"))
            before(play.device)
            return [play.copy(genp("a").data)]
        }
    }

    static let facts: [Fact] = [
        Fact("add: nobody is asked, also with UIFail", .test, "0; 0; -") { play in
            [
                play.add(genp("a").guarded(by: .biometryAny)), play.add(genp("b").guarded(by: .userPresence).failing),
                play.prompts,
            ]
        },
        Fact(
            "add: the password of the application is asked for, unless it is brought", .code,
            "0; applicationPassword; 0; -"
        ) {
            play in
            play.device.user = Person(applicationPassword: "p")
            return [
                play.add(genp("a").guarded(by: .applicationPassword)), play.prompts,
                play.add(genp("b").guarded(by: .applicationPassword).within(context(password: "p"))), play.prompts,
            ]
        },
        asks("copy: data", .test, "0 x; biometry; -25308; -") { $0.copy($1.data) },
        asks("copy: attributes", .code, "0 acct='a'; biometry; -25308; -") {
            $0.copy($1.attributes, showing: "acct")
        },
        asks("copy: a reference", .code, "0 reference(genp); biometry; -25308; -") { $0.copy($1.reference) },
        asks("copy: whether it is there", .test, "0; biometry; -25308; -") { $0.copy($1) },
        asks(
            "copy: attributes and a reference, the other version: nobody", .field, "0 acct='a'; -; 0 acct='b'; -",
            on: device { $0.attributes = .open }
        ) { $0.copy($1.attributes.reference, showing: "acct") },
        asks(
            "copy: data, the other version: the same", .field, "0 x; biometry; -25308; -",
            on: device { $0.attributes = .open }
        ) { $0.copy($1.data) },
        asks("copy: all of one item, asked once", .code, "0 acct='a' v_Data=x; biometry; -25308; -") {
            $0.copy($1.data.attributes.reference, showing: "acct", "v_Data")
        },
        asks("update: of the secret", .code, "0; biometry; -25308; -") {
            $0.update($1, [kSecValueData: Data("y".utf8)])
        },
        asks("update: of an attribute", .code, "0; biometry; -25308; -") { $0.update($1, [kSecAttrLabel: "y"]) },
        asks("update: of the access control", .code, "0; biometry; -25308; -") {
            $0.update($1, [kSecAttrAccessControl: access(.devicePasscode)])
        },
        Fact("update: of several, asked once", .code, "0; biometry") { play in
            for account in ["a", "b"] { _ = play.add(genp(account).guarded(by: .biometryAny)) }
            return [play.update(genp(), [kSecAttrLabel: "y"]), play.prompts]
        },
        asks("delete", .test, "0; -; 0; -") { $0.delete($1) },
        interface("interface: allowed", "0 x; biometry; -25300") {
            [kSecUseAuthenticationUI: kSecUseAuthenticationUIAllow]
        },
        interface("interface: UIFail", "-25308; -; -25300") { [kSecUseAuthenticationUI: kSecUseAuthenticationUIFail] },
        interface("interface: UISkip", "-25300; -; -25300") { [kSecUseAuthenticationUI: kSecUseAuthenticationUISkip] },
        interface("interface: u_NoAuthUI", "-25308; -; -25300") { [kSecUseNoAuthenticationUI: true] },
        interface("interface: u_NoAuthUI that is false", "0 x; biometry; -25300") {
            [kSecUseNoAuthenticationUI: false]
        },
        interface("interface: a context that forbids it", "-25308; -; -25300") {
            [kSecUseAuthenticationContext: context(silent: true)]
        },
        Fact("interface: UIFail in a context in which it was proved", .code, "0 x; 0 x; biometry") { play in
            _ = play.add(genp("a").guarded(by: .biometryAny).holding("x"))
            let context = LAContext()
            return [
                play.copy(genp("a").data.within(context)), play.copy(genp("a").data.within(context).failing),
                play.prompts,
            ]
        },
        Fact("interface: UISkip leaves the protected ones out", .test, "0 [open]; -") { play in
            _ = (play.add(genp("a").guarded(by: .biometryAny).holding("x")), play.add(genp("b").holding("open")))
            return [play.copy(genp().data.all.skipping), play.prompts]
        },
        Fact("interface: UISkip does not leave out what asks for nothing", .code, "0 x") { play in
            _ = play.add(genp("a").guarded(by: []).holding("x"))
            return [play.copy(genp("a").data.skipping)]
        },
        Fact("contexts: each call asks in one of its own", .header, "0 x; 0 x; biometry,biometry") { play in
            _ = play.add(genp("a").guarded(by: .biometryAny).holding("x"))
            return [play.copy(genp("a").data), play.copy(genp("a").data), play.prompts]
        },
        Fact("contexts: one for several calls is asked once", .header, "0 x; 0 y; 0; biometry") { play in
            _ = play.add(genp("a").guarded(by: .biometryAny).holding("x"))
            _ = play.add(genp("b").guarded(by: .biometryAny).holding("y"))
            let context = LAContext()
            return [
                play.copy(genp("a").data.within(context)), play.copy(genp("b").data.within(context)),
                play.update(genp("a").within(context), [kSecAttrLabel: "l"]), play.prompts,
            ]
        },
        Fact("contexts: one that was ended", .header, "-25293; -") { play in
            _ = play.add(genp("a").guarded(by: .biometryAny).holding("x"))
            let context = LAContext()
            context.invalidate()
            return [play.copy(genp("a").data.within(context)), play.prompts]
        },
        Fact(
            "contexts: what was proved lasts until it is ended", .header, "0 x; 0 x; biometry"
        ) { play in
            _ = play.add(genp("a").guarded(by: .biometryAny).holding("x"))
            let context = LAContext()
            return [
                play.copy(genp("a").data.within(context)),
                play.after { $0.advance(by: .seconds(3600)) }.copy(genp("a").data.within(context)), play.prompts,
            ]
        },
        Fact(
            "contexts, the other version: ten minutes", .field, "0 x; 0 x; 0 x; biometry,biometry",
            on: device { $0.contextLifetime = .tenMinutes }
        ) { play in
            _ = play.add(genp("a").guarded(by: .biometryAny).holding("x"))
            let context = LAContext()
            let read = genp("a").data.within(context)
            return [
                play.copy(read), play.after { $0.advance(by: .seconds(599)) }.copy(read),
                play.after { $0.advance(by: .seconds(2)) }.copy(read), play.prompts,
            ]
        },
        Fact("the prompt is what the dictionary or the context says", .header, "why; because") { play in
            _ = play.add(genp("a").guarded(by: .biometryAny))
            let context = LAContext()
            context.localizedReason = "because"
            _ = play.copy(genp("a", [kSecUseOperationPrompt: "why"]))
            _ = play.copy(genp("a").within(context))
            return play.device.prompts.map(\.reason)
        },
        ends("outcome: met", .field, "0 x", .userPresence) { _ in },
        ends("outcome: dismissed", .field, "-128", .userPresence) { $0.user = .absent },
        ends("outcome: a stranger", .field, "-25293", .biometryAny) { $0.user = .stranger },
        ends("outcome: nobody is enrolled", .field, "-25293", .biometryAny) { $0.remove("right index") },
        ends("outcome: locked out", .field, "-25293", .biometryAny) { device in
            for _ in 0..<5 { device.unlock(finger: "a stranger's finger") }
        },
        ends("outcome: no passcode", .documentation, "-25293", .devicePasscode) { $0.removePasscode() },
        ends("outcome: a locked screen shows no prompt", .inference, "-25308", .biometryAny) { $0.lock() },
    ]
}
