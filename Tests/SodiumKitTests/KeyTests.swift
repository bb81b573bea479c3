import SodiumKit
import TestSupport
import Testing

/// Keys: copies, comparison and random values.
@Suite struct KeyTests {
    @Test func aCopyIsTheSameKeySomewhereElse() throws {
        let key = try Key.random()
        let copy = try key.copy()
        #expect(copy.equals(key) == true)
        #expect(copy.address() != key.address())
    }

    @Test func keysAreEqualOnlyWhenEveryByteIs() throws {
        let one = try key(counting(32))
        for place in 0..<32 {
            var bytes = counting(32)
            bytes[place] ^= 0x80
            #expect(try one.equals(key(bytes)) == false)
        }
        #expect(try one.equals(key(counting(32))) == true)
    }

    @Test func randomKeysDiffer() throws {
        var seen: Set<[UInt8]> = []
        for _ in 0..<1000 {
            seen.insert(try Key.random().array())
        }
        #expect(seen.count == 1000)
        #expect(Set((0..<1000).map { _ in Sodium.randomBytes(16) }).count == 1000)
        #expect(Sodium.randomBytes(0).isEmpty)
    }
}

/// Agreement on a key.
@Suite struct AgreementTests {
    private static let alice = bytes(hex: "77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a")
    private static let alicePublic = bytes(hex: "8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a")
    private static let bob = bytes(hex: "5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb")
    private static let bobPublic = bytes(hex: "de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f")
    private static let shared = bytes(hex: "4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742")

    private func agree(_ secret: [UInt8], _ other: [UInt8]) throws -> [UInt8]? {
        switch try Agreement.key(try key(secret), with: other.span.bytes) {
        case .some(let shared): shared.array()
        case .none: nil
        }
    }

    /// The test vector for X25519 in RFC 7748, 6.1.
    @Test func itIsThePublishedAgreement() throws {
        #expect(Agreement.publicHalf(of: try key(Self.alice)) == Self.alicePublic)
        #expect(Agreement.publicHalf(of: try key(Self.bob)) == Self.bobPublic)
        #expect(try agree(Self.alice, Self.bobPublic) == Self.shared)
        #expect(try agree(Self.bob, Self.alicePublic) == Self.shared)
    }

    @Test func whatIsNoPublicHalfAgreesOnNothing() throws {
        #expect(try agree(Self.alice, []) == nil)
        #expect(try agree(Self.alice, Array(Self.bobPublic.dropLast())) == nil)
        #expect(try agree(Self.alice, Self.bobPublic + [0]) == nil)
        // With a point of small order, every secret gives zero.
        #expect(try agree(Self.alice, [UInt8](repeating: 0, count: 32)) == nil)
        #expect(try agree(Self.alice, [1] + [UInt8](repeating: 0, count: 31)) == nil)
    }

    @Test func anyTwoAgree() throws {
        for _ in 0..<20 {
            let one = try Key.random()
            let other = try Key.random()
            let first = try agree(one.array(), Agreement.publicHalf(of: other))
            let second = try agree(other.array(), Agreement.publicHalf(of: one))
            #expect(first != nil)
            #expect(first == second)
        }
    }
}

/// The key that a passcode is stretched to.
@Suite struct StretchCostTests {
    private func stretch(_ passcode: String, _ salt: [UInt8] = counting(16), _ cost: StretchCost = .test) throws
        -> [UInt8]
    { try GuessCost.genuine { try cost.stretch(try SecureBytes(passcode), salt: salt).array() } }

    /// Argon2id with one lane, from the reference code of its authors. A vault in ten years needs the same values.
    @Test func theAnswersStayTheSame() throws {
        #expect(
            try stretch("correct horse")
                == bytes(hex: "3bfa796a86260b73457e1290b51695931a17e266f601d0fb45563e282fb6865b"))
        #expect(
            try stretch("correct horse", counting(16), .interactive)
                == bytes(hex: "9aab5a81db651bf866ff7b6169794d2ad9bb00f3d95177925a5fca692a34dbd1"))
        #expect(
            try stretch("correct horse", counting(16), .moderate)
                == bytes(hex: "eebe26b451a68d4c43a23f45a8df1386550eeacb028ed6209232f2875f938676"))
    }

    /// Only a test that asks for it pays the whole cost, and then it is the genuine function.
    @Test func aGuessIsCheapInTests() throws {
        let cheap = try StretchCost.moderate.stretch(SecureBytes("correct horse"), salt: counting(16)).array()
        #expect(try cheap != stretch("correct horse", counting(16), .moderate))
    }

    @Test func passcodeAndSaltBothMatter() throws {
        let answers = try [
            stretch("1234"), stretch("1235"), stretch("1234", counting(16, from: 1)), stretch(""), stretch("12345"),
        ]
        #expect(Set(answers).count == answers.count)
        #expect(try stretch("1234") == answers[0])
    }

    @Test func onlyWhatStandsAGuessIsEnoughForARealVault() {
        #expect(StretchCost.allCases.filter(\.isEnoughForRealVaults) == [.moderate, .sensitive])
    }
}
