import AccessPolicy
import DeviceModel
import KeyKit
import SecretVault
import SodiumKit
import Testing

/// Helpers that the tests of the vault use often.
enum Cast {
    static let index = finger(0)
    static let thumb = finger(1)
    static let foreign = finger(9)
    static let app = Caller("test", groups: ["com.example.app"], interaction: .fail, date: 700_000_000)

    static func finger(_ number: UInt8) -> Finger {
        guard let finger = Finger(rawValue: number) else { preconditionFailure("no finger \(number)") }
        return finger
    }

    static func bytes(_ text: String) throws -> SecureBytes { try SecureBytes(text) }

    /// Returns the bytes to store for a secret: the text, or the private key that follows from it.
    static func bytes(_ text: String, isKey: Bool) throws -> SecureBytes {
        isKey ? try PrivateKey(derivedFrom: text).externalRepresentation() : try SecureBytes(text)
    }

    /// Returns the external representation of a new private key on P-256.
    static func newKey() throws -> [UInt8] {
        try PrivateKey.generate(.ec(.p256)).withExternalRepresentation { $0.withUnsafeBytes { Array($0) } }
    }

    static func control(_ flags: AccessControlFlags, _ protection: Accessibility = .whenUnlocked) throws
        -> AccessControl
    {
        try AccessControl(protection: protection, flags: flags)
    }

    /// Returns a generic password for this account.
    static func item(_ account: String, _ control: AccessControl = AccessControl(.whenUnlocked)) -> ItemDescription {
        ItemDescription(
            .genericPassword, ["acct": .string(account), "svce": .string("service")], control, group: "com.example.app")
    }

    static func key(_ account: String) -> ItemReference { .key(item(account).primaryKey) }

    /// Returns a simulated device in memory, with one finger enrolled, unlocked.
    static func vault(_ settings: DeviceSettings = DeviceSettings(), passcode: String? = "1234") throws -> Vault {
        let vault: Vault
        if let passcode {
            vault = try Vault.inMemory(.simulated(settings), passcode: try bytes(passcode)).vault
            if settings.sensor != .none { try vault.apply(.enrolled(index)) }
        } else {
            vault = try Vault.inMemory(.simulated(settings)).vault
        }
        return vault
    }
}

extension Vault {
    /// Returns the result of a read: the secret as text, or the rule that denied it, or the factors that it needs.
    @discardableResult
    func reading(_ account: String, in context: VaultContext? = nil, as caller: Caller = Cast.app) throws -> String {
        switch try read(Cast.key(account), for: caller, in: context) {
        case .granted(let secret): return secret.text ?? "nothing"
        case .challenge(let challenge): return "asks for \(challenge.ways)"
        case .denied(let denial): return denial.rule.identifier
        }
    }

    /// Returns the result of adding an item.
    @discardableResult
    func adding(
        _ item: ItemDescription, _ secret: String, in context: VaultContext? = nil, as caller: Caller = Cast.app
    ) throws -> String {
        switch try add(item, secret: try Cast.bytes(secret, isKey: item.isKey), for: caller, in: context) {
        case .granted: return "granted"
        case .challenge(let challenge): return "asks for \(challenge.ways)"
        case .denied(let denial): return denial.rule.identifier
        }
    }
}

extension Vault {
    /// Returns true if a key signs in `context`, and the signature is by the private key that follows from `secret`.
    func signing(_ reference: ItemReference, by secret: String, in context: VaultContext? = nil) throws -> Bool {
        try signing(reference, by: PrivateKey(derivedFrom: secret).publicKey, in: context)
    }

    /// Returns true if a key signs in `context`, and the signature is by the private half of `publicKey`.
    func signing(_ reference: ItemReference, by publicKey: PublicKey, in context: VaultContext? = nil) throws -> Bool {
        let trial = try KeyTrial.signing(by: publicKey)
        switch try use(reference, trial.operation, for: Cast.app, in: context) {
        case .granted(.done(let output)):
            let isRight = trial.isRight(output)
            #expect(isRight)
            return isRight
        case .granted(.failed(let error)):
            Issue.record(error)
            return false
        case .challenge: return false
        case .denied: return false
        }
    }
}

extension SecureBytes {
    borrowing func text() -> String {
        withBytes { bytes in bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) } }
    }
}

extension SecureBytes? {
    var text: String? {
        borrowing get {
            switch self {
            case .some(let bytes): bytes.text()
            case .none: nil
            }
        }
    }
}
