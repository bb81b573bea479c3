import AccessPolicy
import DeviceModel
import Latchkey
import SecretVault
import SodiumKit
import Testing
import UserPresence

/// Semantics 4.4: the calls on a protected item that need authentication, and their results without it.
@Suite struct AuthenticationTests {
    /// A call on the protected password of account `x`.
    struct Call: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let asks: Bool
        let run: @Sendable (Keychain, KeychainContext?, Interaction) throws -> Void
    }

    private static func finding(_ name: String, _ wanted: ItemQuery.Parts) -> Call {
        Call(testDescription: name, asks: true) { keychain, context, interaction in
            _ = try keychain.find(
                ItemQuery(.genericPassword, Cast.account("x"), wanted: wanted), in: context, interaction: interaction)
        }
    }

    private static func changing(_ name: String, _ changes: ItemChanges, secret: String? = nil) -> Call {
        Call(testDescription: name, asks: true) { keychain, context, interaction in
            let change: SecretChange =
                if let secret { .replace(try SecureBytes(secret)) } else { .keep }
            try keychain.update(
                Cast.each(Cast.account("x")), changes, secret: change, in: context, interaction: interaction)
        }
    }

    static let calls = [
        finding("data", .data), finding("attributes", .attributes), finding("reference", .reference),
        finding("existence", []), finding("data and attributes", [.data, .attributes]),
        changing("new data", ItemChanges(), secret: "new"),
        changing("new attributes", ItemChanges(merging: ["labl": .string("new")])),
        changing("another demand", ItemChanges(control: AccessControl(.whenUnlocked))),
        changing("an empty update", ItemChanges()),
        Call(testDescription: "an add over it", asks: true) { keychain, context, interaction in
            let answer = try code {
                try keychain.store(Cast.password("x"), in: context, interaction: interaction)
            }
            if answer == -25299 { return }
            try keychain.store(Cast.password("x"), in: context, interaction: interaction)
        },
        Call(testDescription: "an add beside it", asks: false) { keychain, context, interaction in
            try keychain.store(
                Cast.password("y", [:], try Cast.control(.biometryAny)), in: context, interaction: interaction)
        },
        Call(testDescription: "a delete", asks: false) { keychain, _, _ in
            try keychain.delete(Cast.each(Cast.account("x")))
        },
    ]

    @Test(arguments: calls)
    func whatAsks(_ call: Call) throws {
        let user = Remembering(Cast.owner)
        let keychain = try Keychain.simulated(user: user)
        let item = Cast.password("x", [:], try Cast.control(.biometryAny))
        try keychain.store(item)
        // UIFail and a context that forbids prompts: -25308, unless the context is authenticated already.
        #expect(try code { try call.run(keychain, nil, .fail) } == (call.asks ? -25308 : 0))
        #expect(user.kinds == [])
        guard call.asks else { return }
        let context = try keychain.makeContext()
        context.words.forbidsInteraction = true
        #expect(try code { try call.run(keychain, context, .allowed) } == -25308)
        keychain.user = NoUser()
        #expect(try code { try call.run(keychain, nil, .allowed) } == -128)
        keychain.user = user
        #expect(try code { try call.run(keychain, nil, .allowed) } == 0)
        #expect(user.kinds == [.biometry])
        // An authenticated context.
        try keychain.delete(Cast.each())
        try keychain.store(item)
        let authenticated = try keychain.makeContext()
        try authenticated.evaluate(.biometry)
        authenticated.words.forbidsInteraction = true
        #expect(try code { try call.run(keychain, authenticated, .allowed) } == 0)
        #expect(user.kinds == [.biometry, .biometry])
    }

    /// Some libraries assume that attributes and references need no authentication.
    @Test(arguments: Fidelity.Attributes.allCases)
    func attributesAskWhereThatIsSettled(_ settled: Fidelity.Attributes) throws {
        let keychain = try Keychain.simulated(Cast.device { $0.attributes = settled })
        try keychain.store(Cast.password("x", [:], try Cast.control(.biometryAny)))
        for (wanted, isOpen) in [
            (.attributes, true), (.reference, true), ([.attributes, .reference], true), (.data, false), ([], false),
            ([.data, .attributes], false),
        ] as [(ItemQuery.Parts, Bool)] {
            let query = ItemQuery(.genericPassword, wanted: wanted)
            let expected: Int32 = isOpen && settled == .open ? 0 : -25308
            #expect(try code { _ = try keychain.find(query, interaction: .fail) } == expected)
        }
    }

    /// A private key is found without a prompt. Its flags guard its use, and it is never read.
    @Test func aKeyAsksWhereItIsUsed() throws {
        let user = Remembering(Cast.owner)
        let keychain = try Keychain.simulated(user: user)
        var key = NewItem(.key, ["atag": .string("tag")], try Cast.control([.privateKeyUsage, .biometryAny]))
        key.isKey = true
        let id = try keychain.store(key)
        for wanted in [ItemQuery.Parts.reference, .attributes, []] {
            #expect(try keychain.find(ItemQuery(.key, wanted: wanted)).map(\.id) == [id])
        }
        #expect(user.kinds == [])
        #expect(try code { _ = try keychain.find(ItemQuery(.key, wanted: .data)) } == -25293)
        #expect(try keychain.update(ItemQuery(.key), ItemChanges(merging: ["labl": .string("x")])) == [id])
        #expect(user.kinds == [.biometry])
        #expect(try keychain.delete(ItemQuery(.key)) == [id])
    }

    /// The ways a prompt ends.
    @Test func outcomes() throws {
        let keychain = try Keychain.simulated(Cast.device())
        try keychain.store(Cast.password("x", [:], try Cast.control(.biometryAny)))
        let query = Cast.each()
        func outcome(_ user: any DeviceUser, _ context: KeychainContext? = nil) throws -> Int32 {
            keychain.user = user
            return try code { _ = try keychain.find(query, in: context) }
        }
        #expect(try outcome(Cast.owner) == 0)
        #expect(try outcome(SimulatedPerson(fingers: ["right index"], dismisses: true)) == -128)
        #expect(try outcome(Cast.stranger) == -25293)  // failed
        // The app ends the prompt, and its context is of no use afterwards.
        let context = try keychain.makeContext()
        #expect(try outcome(Meddling { try? context.invalidate() }, context) == -25293)
        #expect(try outcome(Cast.owner, context) == -25293)
        // The device is locked during the prompt, and stays locked.
        #expect(try outcome(Meddling { _ = try? keychain.lock() }) == -25293)
        #expect(try outcome(Cast.owner) == -25308)
        try keychain.reopen()
        #expect(try outcome(Cast.owner) == 0)
        // A lockout: three misses at one prompt, and two more.
        #expect(try outcome(Cast.stranger) == -25293)
        #expect(try outcome(Cast.stranger) == -25293)
        #expect(try rule { _ = try keychain.find(query) } == "biometry.locked-out")
        #expect(try outcome(Cast.owner) == -25293)
    }

    /// A preflight asks for a decision, with no prompt and no effect.
    @Test func whatOnlyAsksDoesNothing() throws {
        let user = Remembering(Cast.owner)
        let keychain = try Keychain.simulated(user: user)
        try keychain.store(Cast.password("x", [:], try Cast.control(.biometryAny)))
        let plain = try keychain.store(Cast.password("y"))
        #expect(try code { try keychain.store(Cast.password("z"), interaction: .preflight) } == -50)
        #expect(try code { _ = try keychain.find(Cast.each(Cast.account("x")), interaction: .preflight) } == -50)
        let changes = ItemChanges(merging: ["labl": .string("new")])
        #expect(try code { try keychain.update(ItemQuery(plain), changes, interaction: .preflight) } == -50)
        #expect(try code { try keychain.update(.id(plain), changes, interaction: .preflight) } == -50)
        #expect(user.kinds == [])
        #expect(try keychain.stored(plain).description.attributes["labl"] == nil)
        #expect(try keychain.accounts(Cast.passwords(), interaction: .skip) == ["y"])
    }
}

/// A user who answers only after an event.
private struct Meddling: DeviceUser {
    let meddle: @Sendable () -> Void
    var answersAtOnce: Bool { true }

    func answer(_ prompt: Prompt) -> Response {
        meddle()
        return Cast.owner.answer(prompt)
    }
}
