import Foundation
import LatchkeyTesting
import LocalAuthentication
import Security
import Testing

/// Semantics 4.7: application passwords.
@Suite struct Section4_07_ApplicationPasswords {
    @Test(arguments: facts) func holds(_ fact: Fact) { fact.check() }

    /// An item with the application password p, and a user who types nothing.
    private static func stored(
        _ words: String, _ evidence: Fact.Evidence, _ expected: String, _ play: @escaping @Sendable (Play) -> [String]
    ) -> Fact {
        Fact(words, evidence, expected) { calls in
            _ = calls.add(genp("a").guarded(by: .applicationPassword).holding("x").within(context(password: "p")))
            calls.device.user = .absent
            return play(calls)
        }
    }

    private static func types(_ password: String) -> Person { Person(applicationPassword: password) }

    static let facts: [Fact] = [
        stored("brought to add and to read: nobody is asked", .header, "0 x; -") { play in
            [play.copy(genp("a").data.within(context(password: "p"))), play.prompts]
        },
        Fact("not brought to an add: it is chosen", .header, "0; applicationPassword; 0 x") { play in
            play.device.user = types("p")
            let added = play.add(genp("a").guarded(by: .applicationPassword).holding("x"))
            return [added, play.prompts, play.copy(genp("a").data.within(context(password: "p")))]
        },
        Fact("not brought to an add, and dismissed", .header, "-128; -25300") { play in
            play.device.user = .absent
            return [play.add(genp("a").guarded(by: .applicationPassword)), play.copy(genp("a"))]
        },
        stored("not brought to a read: it is asked for", .header, "0 x; applicationPassword") { play in
            [play.after { $0.user = types("p") }.copy(genp("a").data), play.prompts]
        },
        stored("not brought to a read, and dismissed", .header, "-128") { [$0.copy(genp("a").data)] },
        stored("not brought to a read, and nobody may be asked", .code, "-25308; -") { play in
            [play.copy(genp("a").data.failing), play.prompts]
        },
        stored("a wrong one, and nobody may be asked", .test, "-25293") { play in
            [play.copy(genp("a").data.within(context(password: "q", silent: true)))]
        },
        stored("a wrong one: it is dropped, and the right one asked for", .code, "0 x; applicationPassword; 0 x; -") {
            play in
            let context = context(password: "q")
            play.device.user = types("p")
            let read = genp("a").data.within(context)
            return [play.copy(read), play.prompts, play.copy(read), play.prompts]
        },
        stored("a wrong one is typed, again and again", .test, "-25293") { play in
            [play.after { $0.user = types("q") }.copy(genp("a").data)]
        },
        stored("attributes, references and existence need it as well", .code, "-25308; -25308; -25308; 0") { play in
            [
                play.copy(genp("a").attributes.failing), play.copy(genp("a").reference.failing),
                play.copy(genp("a").failing), play.copy(genp("a").within(context(password: "p"))),
            ]
        },
        stored("an empty one is one", .ours, "0; -25293; 0 y") { play in
            [
                play.add(genp("b").guarded(by: .applicationPassword).holding("y").within(context(password: ""))),
                play.copy(genp("b").data.within(context(password: "p", silent: true))),
                play.copy(genp("b").data.within(context(password: ""))),
            ]
        },
        stored("nil forgets it", .code, "-25308") { play in
            let context = context(password: "p", silent: true)
            _ = context.setCredential(nil, type: .applicationPassword)
            return [play.copy(genp("a").data.within(context))]
        },
        stored("in the query of an update", .test, "0; 0 y; -25308; -25293") { play in
            let secret: [CFString: Any] = [kSecValueData: Data("y".utf8)]
            return [
                play.update(genp("a").within(context(password: "p")), secret),
                play.copy(genp("a").data.within(context(password: "p"))), play.update(genp("a").failing, secret),
                play.update(genp("a").within(context(password: "q", silent: true)), secret),
            ]
        },
        stored("in the changes of an update", .test, "-25303") { play in
            [play.update(genp("a"), [kSecUseAuthenticationContext: context(password: "p")])]
        },
        Fact("an update adds it", .test, "0; -25308; 0 x") { play in
            _ = play.add(genp("a").holding("x"))
            let changes: [CFString: Any] = [kSecAttrAccessControl: access(.applicationPassword)]
            return [
                play.update(genp("a").within(context(password: "p")), changes), play.copy(genp("a").data.failing),
                play.copy(genp("a").data.within(context(password: "p"))),
            ]
        },
        stored("an update keeps it", .test, "0; -25308; 0 x") { play in
            [
                play.update(genp("a").within(context(password: "p")), [kSecAttrLabel: "l"]),
                play.copy(genp("a").data.failing), play.copy(genp("a").data.within(context(password: "p"))),
            ]
        },
        stored("an update takes it away", .test, "0; 0 x; -") { play in
            [
                play.update(genp("a").within(context(password: "p")), [kSecAttrAccessControl: access([])]),
                play.copy(genp("a").data), play.prompts,
            ]
        },
        stored("a delete needs none", .test, "0; -") { [$0.delete(genp("a")), $0.prompts] },
        stored("there is no limit to trying", .unverified, "0 x") { play in
            for _ in 0..<12 { _ = play.copy(genp("a").data.within(context(password: "q", silent: true))) }
            return [play.copy(genp("a").data.within(context(password: "p")))]
        },
        Fact("on top of another constraint: both", .header, "0 x; biometry; -128") { play in
            let flags: SecAccessControlCreateFlags = [.biometryAny, .applicationPassword]
            _ = play.add(genp("a").guarded(by: flags).holding("x").within(context(password: "p")))
            let read = genp("a").data
            let first = [play.copy(read.within(context(password: "p"))), play.prompts]
            return first + [play.after { $0.user = .absent }.copy(read.within(context(password: "p")))]
        },
        stored("it does not open a locked class", .header, "-25308") { play in
            [play.locked.copy(genp("a").data.within(context(password: "p")))]
        },
        stored("it outlives changes of passcode and enrollment", .header, "0 x") { play in
            play.device.setPasscode("5678")
            play.device.enroll("left thumb")
            return [play.copy(genp("a").data.within(context(password: "p")))]
        },
        stored(
            "several items, each under its own: what does not open the first is dropped", .ours, "0 y; -25293; -25308"
        ) { play in
            _ = play.add(genp("b").guarded(by: .applicationPassword).holding("y").within(context(password: "q")))
            return [
                play.copy(genp("b").data.within(context(password: "q"))),
                play.copy(genp("a").data.within(context(password: "q", silent: true))),
                play.copy(genp().data.all.within(context(password: "q", silent: true))),
            ]
        },
    ]
}
