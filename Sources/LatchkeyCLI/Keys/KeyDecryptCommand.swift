internal import CommandLineKit
internal import Glibc
internal import KeyKit
internal import LatchkeyAgent
internal import PlainText
internal import SodiumKit

extension EncryptionAlgorithm {
    /// The option that names the algorithm.
    static let option = Option<EncryptionAlgorithm?>(
        "--algorithm", value: "ALGORITHM",
        says: "\(allCases.map(\.rawValue).joined(separator: ", ")); ecies-sha256 or rsa-oaep-sha256 by default")
}

/// `latchkey key encrypt`
enum KeyEncryptCommand {
    struct Options: OptionList {
        let vault = VaultAccess.option
        let algorithm = EncryptionAlgorithm.option
        let base64 = KeyFiles.base64
    }

    static let declaration = Declaration(
        name: "encrypt", summary: "encrypt a file so that a private key decrypts it",
        text: """
            Encrypts FILE, or standard input, with the public key, and writes the result to standard output. It needs no
            authentication. ECIES is Apple's, which SecKeyCreateDecryptedData reads
            (eciesEncryptionCofactorVariableIVX963SHA256AESGCM). Plain RSA-OAEP encrypts a few hundred bytes at most;
            rsa-oaep-aesgcm-sha256 has no such limit.
            """,
        operands: [KeyCommand.name, KeyFiles.operand(says: "the file to encrypt; standard input by default")],
        options: Options(), examples: [("latchkey key encrypt work/box notes.txt > notes.box", "")],
        statuses: KeyCommand.usingStatuses, run: run)

    @Sendable private static func run(_ given: Given<Options>) throws -> String {
        let name = given.words[0]
        let key = try KeyAccess(given[\.vault]).key(name, because: "encrypt for \(name)").publicKey
        let algorithm = given[\.algorithm] ?? .usual(for: key.type.family)
        let message = try KeyFiles.secret(given.rawWords.dropFirst().first)
        let box: [UInt8]
        do throws(KeyError) {
            box = try message.withBytes { (message) throws(KeyError) in try key.encrypt(message, with: algorithm.scheme)
            }
        } catch { throw AgentError(.request, "\(error)") }
        try KeyFiles.write(box, inBase64: given[\.base64])
        return ""
    }
}

/// `latchkey key decrypt`
enum KeyDecryptCommand {
    struct Options: OptionList {
        let vault = VaultAccess.option
        let algorithm = EncryptionAlgorithm.option
        let base64 = Option("--base64", says: "the encrypted file is in base64")
        let show = Option("--show", says: "show the message on a terminal without asking")
    }

    static let declaration = Declaration(
        name: "decrypt", summary: "decrypt a file with a private key",
        text: """
            Decrypts FILE, or standard input, and writes the message to standard output. You authenticate at the terminal if
            the access policy of the key requires it. If standard output is a terminal, the command asks before it shows
            the message. An encrypted file has at most 16 MiB.
            """,
        operands: [KeyCommand.name, KeyFiles.operand(says: "the file to decrypt; standard input by default")],
        options: Options(),
        examples: [
            ("latchkey key decrypt work/box notes.box > notes.txt", ""),
            (
                "latchkey key decrypt --algorithm rsa-oaep-sha1 mail letter.bin",
                "what openssl pkeyutl encrypts with OAEP"
            ),
        ],
        statuses: KeyCommand.usingStatuses, run: run)

    @Sendable private static func run(_ given: Given<Options>) throws -> String {
        let name = given.words[0]
        let access = try KeyAccess(given[\.vault])
        // Look before the prompt, so that you never authenticate for a file that cannot be read.
        let type = try access.key(name, because: "decrypt with \(name)").publicKey.type
        let file = given.rawWords.dropFirst().first
        let box = try KeyFiles.decoded(
            KeyFiles.bytes(file), inBase64: given[\.base64], file?.text ?? "standard input")
        let isTerminal = isatty(STDOUT_FILENO) == 1
        if isTerminal && !given[\.show] && !YesOrNo.ask("Show the message on this terminal?") {
            throw AgentError(.dismissed, "the message was not shown: add --show to show it without asking")
        }
        var reply = try access.vault.ask(
            .decrypt(name, given[\.algorithm] ?? .usual(for: type.family)), because: "decrypt with \(name)",
            sending: SecureBytes(copying: box.span.bytes))
        switch reply.secret.take() {
        case .none: return ""
        case .some(let message):
            guard SecretOutput.write(message, to: STDOUT_FILENO) else { throw OutputError(code: errno) }
            return isTerminal ? "\n" : ""
        }
    }
}
