import AccessPolicy
import DeviceModel
import KeyKit
import SecretVault
import SodiumKit
import TestSupport
import Testing

/// A sealed key works on the vault that sealed it, under its access policy, and nowhere else. `DecisionIsDecryptionTests`
/// tries every policy in every condition.
@Suite(.waitsForProcesses) struct SealedKeyTests {
    static let notOurs = VaultError.key(.malformed(.sealedKey))

    private static func key(_ vault: Vault, _ flags: AccessControlFlags, _ protection: Accessibility = .whenUnlocked)
        throws -> SealedKey
    {
        let context = try vault.makeContext()
        try context.setApplicationPassword(Cast.bytes("opensesame"))
        let control = try Cast.control(flags.union(.privateKeyUsage), protection)
        return try #require(try vault.generateSealedKey(under: control, for: Cast.app, in: context).value())
    }

    /// Returns a context in which the passcode and the enrolled finger are authenticated.
    private static func proved(_ vault: Vault) throws -> VaultContext {
        let context = try vault.makeContext()
        try vault.enter(passcode: Cast.bytes("1234"), in: context)
        try vault.record(.presented(Cast.index), in: context)
        return context
    }

    /// Expects that no request takes `bytes` for a sealed key.
    private static func expectRefused(_ bytes: [UInt8], by vault: Vault, in context: VaultContext) throws -> Bool {
        let key: SealedKey
        do throws(KeyError) { key = try SealedKey(bytes) } catch { return error == .malformed(.sealedKey) }
        guard try !vault.isOwn(key) else { return false }
        let operation = KeyOperation.sign([1], .ecdsa(.x962, .sha256, .message))
        do throws(VaultError) {
            _ = try vault.use(.sealed(key), operation, for: Cast.app, in: context).isGranted
            return false
        } catch {
            return error == notOurs
        }
    }

    // MARK: - Bytes

    /// Policies with no wrap, with one, and with several and a password.
    static let policies: [AccessControlFlags] = [
        [], .biometryCurrentSet, [.biometryAny, .or, .devicePasscode, .applicationPassword],
    ]

    @Test(arguments: policies) func noBitCanBeFlipped(_ flags: AccessControlFlags) throws {
        let vault = try Cast.vault()
        let key = try Self.key(vault, flags)
        let context = try Self.proved(vault)
        try context.setApplicationPassword(Cast.bytes("opensesame"))
        #expect(try vault.signing(.sealed(key), by: key.publicKey, in: context))
        var taken: [Int] = []
        for bit in 0..<(8 * key.bytes.count) {
            var bytes = key.bytes
            bytes[bit / 8] ^= 1 << (bit % 8)
            if try !Self.expectRefused(bytes, by: vault, in: context) { taken.append(bit) }
        }
        #expect(taken == [])
        #expect(try vault.signing(.sealed(key), by: key.publicKey, in: context))
        #expect(try vault.verify().findings.isEmpty)
    }

    @Test(arguments: policies) func nothingCanBeCutOffOrAdded(_ flags: AccessControlFlags) throws {
        let vault = try Cast.vault()
        let key = try Self.key(vault, flags)
        let context = try Self.proved(vault)
        for count in 0..<key.bytes.count {
            #expect(try Self.expectRefused(Array(key.bytes.prefix(count)), by: vault, in: context), "\(count)")
            #expect(try Self.expectRefused(Array(key.bytes.dropFirst(count + 1)), by: vault, in: context), "\(count)")
        }
        for more in [[0], [1], key.bytes, [UInt8](repeating: 0, count: 1 << 20)] as [[UInt8]] {
            #expect(try Self.expectRefused(key.bytes + more, by: vault, in: context))
            #expect(try Self.expectRefused(more + key.bytes, by: vault, in: context))
        }
    }

    /// The parts of two keys of one vault do not fit together: the public half, the record and the private half.
    @Test func partsOfTwoKeysCannotBeExchanged() throws {
        let vault = try Cast.vault()
        let one = try Self.key(vault, [])
        let other = try Self.key(vault, [])
        let context = try Self.proved(vault)
        let count = one.bytes.count
        #expect(count == other.bytes.count)
        for cut in [1, 1 + 65, count - 16 - 137, count - 16] {
            let joined = Array(one.bytes[..<cut] + other.bytes[cut...])
            if joined == one.bytes || joined == other.bytes { continue }
            #expect(try Self.expectRefused(joined, by: vault, in: context), "\(cut)")
        }
    }

    // MARK: - Another vault, and this one later

    @Test func anotherVaultRefusesIt() throws {
        let vault = try Cast.vault()
        let other = try Cast.vault()
        for flags in Self.policies {
            let key = try Self.key(vault, flags)
            #expect(try Self.expectRefused(key.bytes, by: other, in: Self.proved(other)))
            #expect(try vault.isOwn(key))
        }
    }

    /// A backup has no sealed key, and restoring one erases the device first.
    @Test func anErasedOrRestoredDeviceRefusesIt() throws {
        let folder = try TemporaryFolder()
        let vault = try Cast.vault()
        let key = try Self.key(vault, [])
        _ = try vault.export(to: folder.path("backup"), BackupProtection(Cast.bytes("passphrase"), cost: .test))
        _ = try vault.restore(from: folder.path("backup"), passphrase: Cast.bytes("passphrase"))
        #expect(try Self.expectRefused(key.bytes, by: vault, in: vault.makeContext()))

        let erased = try Cast.vault()
        let lost = try Self.key(erased, [])
        try erased.apply(.erase)
        #expect(try Self.expectRefused(lost.bytes, by: erased, in: erased.makeContext()))
    }

    @Test func itOutlivesAnotherPasscodeAndARecovery() throws {
        var options = VaultOptions.simulated()
        options.hasRecoveryKey = true
        let created = try Vault.inMemory(options, passcode: Cast.bytes("1234"))
        let vault = created.vault
        try vault.apply(.enrolled(Cast.index))
        let plain = try Self.key(vault, [])
        let bound = try Self.key(vault, .devicePasscode, .whenPasscodeSetThisDeviceOnly)
        try vault.changePasscode(from: Cast.bytes("1234"), to: Cast.bytes("5678"))
        for passcode in ["5678", "9999"] {
            if passcode == "9999" {
                try vault.recover(with: try #require(created.recoveryKey), to: Cast.bytes(passcode))
            }
            let context = try vault.makeContext()
            #expect(try vault.enter(passcode: Cast.bytes(passcode), in: context).authenticated(.passcode))
            for key in [plain, bound] {
                #expect(try vault.isOwn(key))
                #expect(try vault.signing(.sealed(key), by: key.publicKey, in: context))
            }
        }
    }

    /// The vault cannot delete a sealed key, but it can lose the keys that open it.
    @Test func itEndsWithTheKeysThatOpenIt() throws {
        let vault = try Cast.vault()
        let bound = try Self.key(vault, .biometryCurrentSet)
        let protected = try Self.key(vault, [], .whenPasscodeSetThisDeviceOnly)
        let plain = try Self.key(vault, [])
        try vault.apply(.enrolled(Cast.thumb))
        let operation = KeyOperation.sign([1], .ecdsa(.x962, .sha256, .message))
        let denial = try vault.use(.sealed(bound), operation, for: Cast.app, in: Self.proved(vault)).denial
        #expect(denial?.rule == .keyInvalidated)
        #expect(try vault.isOwn(bound))
        _ = try vault.removePasscode(Cast.bytes("1234"))
        #expect(try vault.use(.sealed(protected), operation, for: Cast.app).denial?.rule == .classDestroyed)
        _ = try vault.setPasscode(Cast.bytes("1234"))
        try vault.enter(passcode: Cast.bytes("1234"))
        #expect(try Self.expectRefused(protected.bytes, by: vault, in: vault.makeContext()))
        #expect(try vault.signing(.sealed(plain), by: plain.publicKey))
    }

    @Test func aLockedDeviceUsesNone() throws {
        let vault = try Cast.vault()
        let plain = try Self.key(vault, [])
        let afterFirst = try Self.key(vault, [], .afterFirstUnlock)
        let operation = KeyOperation.sign([1], .ecdsa(.x962, .sha256, .message))
        try vault.lock()
        try vault.apply(.timePassed(.seconds(10)))
        #expect(try vault.isOwn(plain), "reading one never asks, and needs no open class")
        #expect(try vault.use(.sealed(plain), operation, for: Cast.app).denial?.rule == .classLocked)
        #expect(try vault.signing(.sealed(afterFirst), by: afterFirst.publicKey))
        try vault.apply(.reboot)
        #expect(try vault.use(.sealed(afterFirst), operation, for: Cast.app).denial?.rule == .classBeforeFirstUnlock)
    }

    @Test func theApplicationPasswordIsNeeded() throws {
        let vault = try Cast.vault()
        let key = try Self.key(vault, .applicationPassword)
        let operation = KeyOperation.sign([1], .ecdsa(.x962, .sha256, .message))
        #expect(
            try vault.use(.sealed(key), operation, for: Cast.app).denial?.rule == .passwordMissing,
            "the caller forbids to ask for it")
        let context = try vault.makeContext()
        try context.setApplicationPassword(Cast.bytes("wrong"))
        #expect(try vault.use(.sealed(key), operation, for: Cast.app, in: context).denial?.rule == .passwordWrong)
        try context.setApplicationPassword(Cast.bytes("opensesame"))
        #expect(try vault.signing(.sealed(key), by: key.publicKey, in: context))
    }

    // MARK: - Requests

    /// A sealed key is used and nothing else: no request reads, describes, changes or deletes one.
    @Test func itIsUsedAndNothingElse() throws {
        let vault = try Cast.vault()
        let key = try Self.key(vault, [])
        let reference = ItemReference.sealed(key)
        #expect(try vault.read(reference, for: Cast.app).denial?.rule == .operationWithoutEntry)
        #expect(try vault.attributes(reference, for: Cast.app).denial?.rule == .operationWithoutEntry)
        #expect(try vault.inventory(reference, for: Cast.app).denial?.rule == .operationWithoutEntry)
        let secret = SecretChange.replace(try Cast.bytes("x"))
        #expect(try vault.update(reference, secret: secret, for: Cast.app).denial?.rule == .operationWithoutEntry)
        #expect(try vault.delete(reference, for: Cast.app).denial?.rule == .operationWithoutEntry)
        #expect(try vault.signing(reference, by: key.publicKey))
        for action in [Action.readData, .attest, .delete] {
            let operation = KeyOperation.sign([1], .ecdsa(.x962, .sha256, .message))
            #expect(
                try vault.use(reference, to: action, operation, for: Cast.app).denial?.rule == .operationWithoutEntry)
        }
    }

    /// Every operation of a P-256 key works, and one that does not fit the key fails on its input.
    @Test func itDoesEveryOperation() throws {
        let vault = try Cast.vault()
        let key = try Self.key(vault, [])
        for trial in [
            try KeyTrial.signing(by: key.publicKey), try .agreeing(by: key.publicKey),
            try .decrypting(by: key.publicKey),
        ] {
            switch try vault.use(.sealed(key), trial.operation, for: Cast.app) {
            case .granted(.done(let output)):
                let isRight = trial.isRight(output)
                #expect(isRight)
            default: Issue.record("\(trial) was not done")
            }
        }
        let other = try PrivateKey.generate(.ec(.p384)).publicKey
        for (operation, error) in [
            (KeyOperation.sign([1], .rsaPSS(.sha256, .message)), KeyError.unsupportedScheme(.ec(.p256))),
            (.agree(other, nil), .differentCurves),
            (.decrypt([4, 1], .ecies(.cofactor, .sha256, .derived), EncryptionParameters()), .cannotDecrypt),
        ] {
            switch try vault.use(.sealed(key), operation, for: Cast.app) {
            case .granted(.failed(let found)): #expect(found == error)
            default: Issue.record("\(operation) was done")
            }
        }
    }

    /// Another program with the vault open uses it, and takes in what happened meanwhile.
    @Test func anotherProgramUsesIt() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("vault")
        let vault = try Vault.create(at: path, .simulated(), passcode: Cast.bytes("1234")).vault
        try vault.apply(.enrolled(Cast.index))
        let plain = try Self.key(vault, [])
        let bound = try Self.key(vault, .biometryCurrentSet)
        let digits = [plain, bound].map { Digits.text($0.bytes) }
        var child = try SpawnedProgram("vault-exerciser", ["share", "sign", path, "1234"] + digits)
        #expect(child.line() == "signed signed")
        try vault.apply(.enrolled(Cast.thumb))
        child.go()
        #expect(child.line() == "signed key.invalidated")
        try vault.apply(.erase)
        child.go()
        #expect(child.line() == "refused refused")
        #expect(child.end() == 0)
    }
}
