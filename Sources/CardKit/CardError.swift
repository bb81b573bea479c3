/// The reason why a card did not do what was asked.
package enum CardError: Error, Hashable, Sendable, CustomStringConvertible {
    case noModuleInstalled
    /// The module at this path cannot be trusted; the reason.
    case untrustedModule(String, String)
    /// The module at this path cannot be loaded; the reason.
    case unusableModule(String, String)
    /// There is no token, or not the one of this name.
    case noToken(String?)
    /// The token of this name has no such key.
    case noKey(String)
    /// The PIN is wrong. The token of this name counts the mistakes.
    case wrongPIN(String)
    /// The token of this name has accepted the PIN, and refused it for a signature with this key.
    case wrongPINOfKey(String)
    /// The last PIN that the token of this name got was wrong, so a stored one is not tried.
    case mistakeBefore(String)
    /// The token of this name has refused the stored PIN, or may have, so it is not tried again.
    case refusedStoredPIN(String)
    /// The token of this name wants a PIN now, and none is stored.
    case noPIN(String)
    /// Another wrong PIN would lock the token of this name.
    case lastTry(String)
    /// The token of this name is locked.
    case locked(String)
    /// The token of this name was taken out.
    case removed(String)
    /// A message that a key on a card signs has at most so many bytes.
    case inputTooLong(limit: Int)
    /// Keys on cards do not sign this way.
    case unsupportedScheme
    /// The key on the card is not the one that the vault remembers.
    case otherKey(String)
    /// No guarded memory is left for the PIN.
    case noMemory
    /// The module reports this error.
    case failed(UInt)

    /// A message that says what is wrong and what to do.
    package var description: String {
        switch self {
        case .noModuleInstalled:
            "no module for smart cards is installed: install opensc, or name the one of your card with ?module-path="
        case .untrustedModule(let path, let reason):
            "\(path) \(reason), and it gets the PIN of the card: use a module that only root can change"
        case .unusableModule(let path, let reason): "\(path) is no module for smart cards: \(reason)"
        case .noToken(nil):
            "no smart card with a key is there: insert it, and check that pcscd runs. A card whose public keys cannot be read "
                + "shows none either: look with `pkcs11-tool -O`"
        case .noToken(let name?): "the card \(name) is not there: insert it"
        case .noKey(let name): "the card \(name) has no such key: look with `pkcs11-tool -O`"
        case .wrongPIN(let name): "the card \(name) refused the PIN. It locks itself after a few wrong ones"
        case .wrongPINOfKey(let name):
            "the card \(name) took the PIN, and refused it for a signature with this key: a key with a PIN of its own cannot be "
                + "used. Try no other, because the card counts"
        case .mistakeBefore(let name):
            "the last PIN that the card \(name) got was wrong, so Latchkey does not try the stored one: use the card once "
                + "with the right PIN, such as by `pkcs11-tool --login -O`. If the PIN has changed, delete the key "
                + "with `latchkey key rm`, and add it with the new one and the options that it had"
        case .refusedStoredPIN(let name):
            "the card \(name) refused the stored PIN, or did not answer to it, so Latchkey does not try it again. If the PIN has "
                + "changed, delete the key with `latchkey key rm`, and add it with the new one and the options that it had. "
                + "If it has not, `latchkey agent stop` has it tried once more"
        case .noPIN(let name):
            "the card \(name) wants a PIN now, and none is stored: delete the key with `latchkey key rm`, and add it again"
        case .lastTry(let name):
            "another wrong PIN would lock the card \(name): use it once with the right PIN, such as by "
                + "`pkcs11-tool --login -O`"
        case .locked(let name): "the card \(name) is locked, because too many PINs were wrong: unlock it with its PUK"
        case .removed(let name): "the card \(name) was taken out: insert it, and try again"
        case .inputTooLong(let limit):
            "a key on a card signs messages of at most \(limit / 1024) KiB with Ed25519: sign a digest with another key"
        case .unsupportedScheme: "a key on a card signs with ECDSA, RSA with PKCS#1, or Ed25519, and decrypts nothing"
        case .otherKey(let name): "the card \(name) has another key there now: delete the key, and add it again"
        case .noMemory: "there is no guarded memory for the PIN: raise its limit with `ulimit -l`"
        case .failed(let code):
            "the card reports error 0x\(String(code, radix: 16)) of PKCS#11: see if `pkcs11-tool --login --test` works"
        }
    }
}
