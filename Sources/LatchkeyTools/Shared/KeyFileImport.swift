internal import AgentProtocol
internal import CommandLineKit
internal import KeyKit
internal import LatchkeyCLI
internal import PlainText
internal import SecretTools
internal import SodiumKit
internal import UserPresence
internal import VaultService

/// The import of a private key from a file, whose format and passphrase it finds out.
enum KeyFileImport {
    /// Imports the private key in a file, or in standard input if it is nil, with the certificate beside it.
    static func run(_ name: String, _ file: RawText?, _ policy: ItemPolicy?, _ access: KeyAccess) throws {
        do { _ = try SecretName(name) } catch { throw AgentError(.request, "\(error)") }
        let called = file?.text ?? "standard input"
        let content = try KeyPassphrase.removed(
            from: KeyFiles.secret(file), called: called, isAtTerminal: access.vault.prompter.isTerminal)
        let found = try key(in: content, called: called, access, for: name)
        let family = KeyFamilyName(found.key.type.family)
        let bytes = try found.key.externalRepresentation()
        _ = try access.vault.ask(ImportKeyCall(name, family, policy), because: "import the key \(name)", sending: bytes)
        if let certificate = found.certificate {
            do { try access.store(certificate, for: name) } catch let error as AgentError {
                throw AgentError(
                    error.kind, "the key \(name) was imported, and its certificate was not: \(error.message)")
            }
        }
    }

    /// A private key from a file, with its certificate if the file has one.
    private struct Found: ~Copyable {
        let key: PrivateKey
        var certificate: Certificate?
    }

    private static func key(
        in bytes: consuming SecureBytes, called file: String, _ access: KeyAccess, for name: String
    ) throws -> Found {
        do throws(KeyError) {
            if bytes.withBytes({ $0.isPEM }) { return Found(key: try PrivateKey(pem: bytes)) }
            do throws(KeyError) { return Found(key: try PrivateKey(der: bytes)) } catch {
                let isCertificate = bytes.withBytes { (try? Certificate(der: $0)) != nil }
                let isPublic = bytes.withBytes { (try? PublicKey(subjectPublicKeyInfo: $0)) != nil }
                if isCertificate || isPublic { throw .malformed(.pkcs8) }
                // Neither PKCS#8 nor SEC 1 nor PKCS#1 begins as an archive does.
                guard case .malformed = error else { throw error }
            }
        } catch { throw bytes.withBytes { KeyFiles.wrong($0, file, wanted: .privateKey, error) } }
        return try found(in: archive(bytes, called: file, access, for: name), called: file)
    }

    private static func found(in archive: PKCS12, called file: String) throws -> Found {
        guard let only = archive.keys.first, archive.keys.count == 1 else {
            throw AgentError(
                .request,
                "\(file) has \(counted(archive.keys.count, "private key")): export one key into an archive of its own")
        }
        let certificate = try archive.certificate(for: only)
        if let certificate {
            let isItsOwn = try certificate.publicKeyFingerprint == only.key.publicKey.fingerprint
            if !isItsOwn {
                throw AgentError(
                    .request,
                    "\(file) has the certificate of another key, and nothing was imported: export the archive again, "
                        + "or the key alone")
            }
        }
        return Found(
            key: try PrivateKey(trusted: only.key.externalRepresentation(), only.key.type.family),
            certificate: certificate)
    }

    /// Opens an archive with no passphrase, or else with the one that the user types.
    private static func archive(
        _ bytes: borrowing SecureBytes, called file: String, _ access: KeyAccess, for name: String
    ) throws -> PKCS12 {
        var passphrase = try SecureBytes(count: 0)
        for attempt in 1...4 {
            do throws(KeyError) {
                return try open(bytes, passphrase)
            } catch {
                guard error == .wrongPassphrase else {
                    // Most files that are no archive are no key in a known format either.
                    let format = error == .malformed(.pkcs12) ? "no private key and no PKCS#12 archive" : "\(error)"
                    throw AgentError(.request, "\(file): \(format)")
                }
            }
            if attempt == 4 { break }
            guard let user = access.vault.user else {
                throw AgentError(
                    .noTerminal, "\(file) needs its passphrase, and there is no terminal: run the command in one")
            }
            var content = PromptContent(.passphrase, reason: "import the key \(name) from \(file)", app: "latchkey")
            content.attempt = attempt
            content.allowance = .init(number: attempt, limit: 3)
            guard case .typed(let typed) = user.answer(Prompt(content)) else {
                throw AgentError(.dismissed, "you typed no passphrase, and nothing was imported")
            }
            passphrase = typed
        }
        throw AgentError(.wrong, "the passphrase of \(file) was wrong three times, and nothing was imported: try again")
    }

    private static func open(
        _ bytes: borrowing SecureBytes, _ passphrase: borrowing SecureBytes
    ) throws(KeyError) -> PKCS12 {
        try bytes.withBytes { (bytes) throws(KeyError) in try PKCS12.open(bytes, passphrase: passphrase) }
    }
}
