internal import AgentProtocol
internal import CommandLineKit
internal import Glibc
internal import KeyKit
internal import LatchkeyCLI
internal import PlainText
internal import SodiumKit
internal import VaultService

extension EncryptionAlgorithm {
    static let option = Option<EncryptionAlgorithm?>(
        "--algorithm", value: "ALGORITHM",
        says: "\(allCases.map(\.rawValue).joined(separator: ", ")); "
            + "\(enumerated(KeyFamily.allCases.compactMap { usual(for: $0)?.rawValue })) by default")
}

extension UsageError {
    /// Creates the error for an algorithm that is not for keys of this type.
    init(_ algorithm: String, for type: KeyType, _ known: [String]) {
        self.init("\(algorithm) is not for a key of type \(type.word): use \(enumerated(known))")
    }
}

extension EncryptionAlgorithm {
    /// Returns the algorithm that is given, or else the usual one, for a key of this type.
    ///
    /// - Throws: A ``UsageError`` if the algorithm is for other keys.
    fileprivate static func chosen(_ given: EncryptionAlgorithm?, for type: KeyType) throws -> EncryptionAlgorithm {
        guard let algorithm = given ?? .usual(for: type.family) else {
            throw UsageError("a key of type \(type.word) only signs: use a key of another type to encrypt")
        }
        guard algorithm.family == type.family else {
            throw UsageError(
                algorithm.rawValue, for: type, allCases.filter { $0.family == type.family }.map(\.rawValue))
        }
        return algorithm
    }
}

/// `latchkey key encrypt`
enum KeyEncryptCommand {
    struct Options: OptionList {
        let vault = VaultAccess.option
        let publicKey = Option(
            path: "--public", says: "encrypt with the public key or certificate in this file; needs no vault")
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
        operands: [
            Operand(name: "NAME", says: "the name of the key; left out with --public", values: .key, isOptional: true),
            KeyFiles.operand(says: "the file to encrypt; standard input by default"),
        ],
        options: Options(),
        examples: [
            ("latchkey key encrypt work/box notes.txt > notes.box", ""),
            ("latchkey key encrypt --public box.pem notes.txt > notes.box", "on any machine"),
        ],
        statuses: ExitStatus.all(but: [.exists]),
        usages: ["NAME [FILE] [OPTION…]", "--public FILE [FILE] [OPTION…]"], run: run)

    @Sendable private static func run(_ given: Given<Options>) throws -> String {
        var words = given.rawWords[...]
        let key: PublicKey
        if let file = given[\.publicKey] {
            key = try KeyFiles.publicKey(file)
        } else {
            guard let name = words.popFirst()?.text else { throw UsageError("NAME is missing") }
            key = try KeyAccess(given[\.vault]).key(name, because: "encrypt for \(name)").publicKey
        }
        if words.count > 1 { throw UsageError("\(words[words.startIndex + 1].text) is a word too many") }
        let algorithm = try EncryptionAlgorithm.chosen(given[\.algorithm], for: key.type)
        let message = try KeyFiles.secret(words.first)
        let box: [UInt8]
        do throws(KeyError) {
            box = try message.withBytes { (message) throws(KeyError) in try key.encrypt(message, with: algorithm.scheme)
            }
        } catch {
            guard case .inputTooLong(let limit) = error else { throw AgentError(.request, "\(error)") }
            throw AgentError(
                .request,
                "\(words.first?.text ?? "standard input") is longer than \(limit) bytes, the most that "
                    + "\(algorithm.rawValue) encrypts: use --algorithm \(EncryptionAlgorithm.rsaOAEPAESSHA256.rawValue)"
            )
        }
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
        operands: [KeyAccess.operand, KeyFiles.operand(says: "the file to decrypt; standard input by default")],
        options: Options(),
        examples: [
            ("latchkey key decrypt work/box notes.box > notes.txt", ""),
            (
                "latchkey key decrypt --algorithm rsa-oaep-sha1 mail letter.bin",
                "what openssl pkeyutl encrypts with OAEP"
            ),
        ],
        statuses: ExitStatus.all(but: [.exists]), run: run)

    @Sendable private static func run(_ given: Given<Options>) throws -> String {
        let name = given.words[0]
        let access = try KeyAccess(given[\.vault])
        // Look before the prompt, so that you never authenticate for a file that cannot be read.
        let type = try access.key(name, because: "decrypt with \(name)").publicKey.type
        let algorithm = try EncryptionAlgorithm.chosen(given[\.algorithm], for: type)
        let file = given.rawWords.dropFirst().first
        let box = try KeyFiles.decoded(
            KeyFiles.bytes(file), inBase64: given[\.base64], file?.text ?? "standard input")
        let isTerminal = isatty(STDOUT_FILENO) == 1
        if isTerminal, !given[\.show],
            try !access.vault.prompter.confirms("Show the message on this terminal?", else: "add --show to show it")
        {
            throw AgentError(.dismissed, "the message was not shown: add --show to show it without asking")
        }
        var reply = try access.vault.ask(
            DecryptCall(name, algorithm), because: "decrypt with \(name)",
            sending: SecureBytes(copying: box.span.bytes))
        switch reply.secret.take() {
        case .none: return ""
        case .some(let message):
            try SecretOutput.put(message, isLine: isTerminal)
            return ""
        }
    }
}
