import AccessPolicy
import DeviceModel
import KeyKit
import Latchkey
import SecretVault
import SodiumKit
import TestSupport
import Testing
import UserPresence

/// Private keys of the enclave through a keychain: which call prompts, and for what.
@Suite struct EnclaveKeyTests {
    private static let message: [UInt8] = [1, 2, 3]
    private static let signing = KeyOperation.sign(message, .ecdsa(.x962, .sha256, .message))

    /// A keychain whose user is remembered.
    private struct Scene {
        let keychain: Keychain
        let user: Remembering

        init(_ person: SimulatedPerson = Cast.owner) throws {
            user = Remembering(person)
            keychain = try Keychain.simulated(user: user)
        }

        func key(_ flags: AccessControlFlags, isSealed: Bool) throws -> EnclaveKey {
            let control = try Cast.control(flags.union(.privateKeyUsage))
            return isSealed
                ? try keychain.generateKey(under: control)
                : try keychain.generateKey(NewItem(.key, ["labl": .string("signer")], control))
        }

        /// Returns "signed" if the key signs, or the rule that denies it.
        func signing(
            _ key: EnclaveKey, in context: KeychainContext? = nil, interaction: Interaction = .allowed
        ) throws -> String {
            do throws(KeychainError) {
                let output = try keychain.perform(
                    EnclaveKeyTests.signing, with: key, in: context, interaction: interaction)
                guard case .signature(let signature) = output else { return "no signature" }
                let scheme = SignatureScheme.ecdsa(.x962, .sha256, .message)
                let isRight = try? key.publicKey.verify(
                    signature.span.bytes, of: EnclaveKeyTests.message.span.bytes, with: scheme)
                return isRight == true ? "signed" : "a wrong signature"
            } catch {
                guard let rule = error.rule else { throw error }
                return rule.identifier
            }
        }
    }

    @Test(arguments: [true, false]) func onlyTheUseAsks(isSealed: Bool) throws {
        let scene = try Scene()
        let key = try scene.key(.biometryCurrentSet, isSealed: isSealed)
        switch key.place {
        case .sealed(let sealed): #expect(try scene.keychain.enclaveKey(sealed: sealed.bytes) == key)
        case .item(let id): #expect(try scene.keychain.enclaveKey(id) == key)
        }
        #expect(scene.user.kinds == [])
        #expect(try scene.signing(key, interaction: .fail) == "interaction.not-allowed")
        #expect(scene.user.kinds == [])
        #expect(try scene.signing(key) == "signed")
        #expect(scene.user.kinds == [.biometry])
        let context = try scene.keychain.makeContext()
        for _ in 0..<3 { #expect(try scene.signing(key, in: context) == "signed") }
        #expect(scene.user.kinds == [.biometry, .biometry])
        try scene.keychain.enroll("left thumb")
        #expect(try scene.signing(key) == "key.invalidated")
        #expect(scene.user.kinds == [.biometry, .biometry])
    }

    /// The password that was typed for a new key opens it, and no other does.
    @Test(arguments: [true, false]) func theApplicationPasswordIsTypedAtThePrompt(isSealed: Bool) throws {
        let scene = try Scene(SimulatedPerson(fingers: ["right index"], applicationPassword: "swordfish"))
        let key = try scene.key(.applicationPassword, isSealed: isSealed)
        #expect(scene.user.kinds == [.newApplicationPassword])
        #expect(try scene.signing(key) == "signed")
        #expect(scene.user.kinds == [.newApplicationPassword, .applicationPassword])
        let typist = Remembering(SimulatedPerson(applicationPassword: "marlin"))
        scene.keychain.user = typist
        #expect(try scene.signing(key) == "sheet.failed")
        #expect(typist.kinds.allSatisfy { $0 == .applicationPassword } && !typist.kinds.isEmpty)
        // The app's own password asks nobody.
        let context = try scene.keychain.makeContext()
        try context.setApplicationPassword(SecureBytes("swordfish"))
        let asked = typist.kinds.count
        #expect(try scene.signing(key, in: context) == "signed")
        #expect(typist.kinds.count == asked)
        try context.setApplicationPassword(SecureBytes("marlin"))
        #expect(try scene.signing(key, in: context, interaction: .fail) == "application-password.wrong")
    }

    /// A context knows which item needed the sensor last, and asks the sensor first for it. That changes no answer, also
    /// once another item or another policy is in its place.
    @Test func theSensorIsAskedBeforeEachUse() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("vault")
        let keychain = try Keychain.createSimulated(at: path, passcode: "1234")
        let other = try Keychain.openSimulated(at: path)
        try #require(try other.unlock(passcode: SecureBytes("1234")).authenticated(.passcode))
        let control = try Cast.control([.privateKeyUsage, .biometryCurrentSet])
        let key = try keychain.generateKey(NewItem(.key, ["labl": .string("signer")], control))
        let plain = try keychain.generateKey(under: try Cast.control(.privateKeyUsage))
        let context = try keychain.makeContext()
        func sign(_ key: EnclaveKey) throws -> String {
            do throws(KeychainError) {
                let isSigned = try keychain.perform(Self.signing, with: key, in: context).isSignature
                return isSigned ? "signed" : "not signed"
            } catch {
                return error.rule?.identifier ?? "\(error)"
            }
        }
        for key in [key, key, plain, key, plain, plain, key] { #expect(try sign(key) == "signed") }
        // Another program enrolls a finger, and the next use takes that in.
        try other.enroll("left thumb")
        #expect(try sign(key) == "key.invalidated")
        #expect(try sign(plain) == "signed")
        if case .item(let id) = key.place { try keychain.delete(.id(id)) }
        #expect(try sign(key) == "item.not-found")
    }

    @Test func aSealedKeyOfAnotherDeviceIsRefusedWithoutAPrompt() throws {
        let scene = try Scene()
        let other = try Scene()
        let key = try other.key(.biometryAny, isSealed: true)
        guard case .sealed(let sealed) = key.place else { return #expect(Bool(false)) }
        for bytes in [sealed.bytes, [], [1], Array(sealed.bytes.dropLast())] {
            #expect {
                try scene.keychain.enclaveKey(sealed: bytes)
            } throws: { error in
                if case .key(.malformed(.sealedKey)) = error as? KeychainError { true } else { false }
            }
        }
        #expect {
            try scene.keychain.perform(Self.signing, with: key).isSignature
        } throws: { error in
            "\(error)".contains(KeyFormat.sealedKey.description)
        }
        #expect(scene.user.kinds == [])
    }

    /// An operation that does not fit its key fails after the prompt, because only then is the key there.
    @Test func anInputThatDoesNotFitIsAnErrorOfTheKey() throws {
        let scene = try Scene()
        let key = try scene.key(.biometryAny, isSealed: true)
        #expect {
            try scene.keychain.perform(
                .decrypt([4], .ecies(.cofactor, .sha256, .derived), EncryptionParameters()), with: key
            ).isSignature
        } throws: { error in
            if case .key(.cannotDecrypt) = error as? KeychainError { true } else { false }
        }
        #expect(scene.user.kinds == [.biometry])
    }
}

extension KeyOutput {
    fileprivate var isSignature: Bool {
        borrowing get {
            switch self {
            case .signature: true
            case .secret: false
            }
        }
    }
}
