internal import AgentProtocol
internal import CommandLineKit
internal import KeyKit
internal import LatchkeyCLI
internal import PlainText
internal import SodiumKit
internal import VaultService

/// The options that state how a signature is made.
struct SigningOptions: OptionList {
    let heading = "signature"
    let algorithm = Option<SignatureAlgorithm?>(
        "--algorithm", value: "ALGORITHM",
        says:
            "\(SignatureAlgorithm.allCases.map(\.rawValue).joined(separator: ", ")); "
            + "\(enumerated(KeyFamily.allCases.map { SignatureAlgorithm.usual(for: $0).rawValue })) by default"
    )
    let digest = Option("--digest", says: "take FILE as the digest itself, in binary")
    let raw = Option("--raw", says: "r and s of ECDSA one after the other, instead of DER")

    /// Returns the algorithm for a key of this type, and what it signs: the digest of a file or, for Ed25519, the file.
    ///
    /// - Throws: A ``UsageError`` if the algorithm is for other keys, or the digest has another length.
    static func digest(
        _ given: Given<SigningOptions>, of file: RawText?, for type: KeyType
    ) throws -> (SignatureAlgorithm, [UInt8]) {
        let algorithm = given[\.algorithm] ?? .usual(for: type.family)
        guard algorithm.family == type.family else {
            throw UsageError(
                algorithm.rawValue, for: type,
                SignatureAlgorithm.allCases.filter { $0.family == type.family }.map(\.rawValue))
        }
        guard let hash = algorithm.hash else {
            if given[\.digest] {
                throw UsageError("\(algorithm.rawValue) signs a file and no digest: leave --digest out")
            }
            return (algorithm, try KeyFiles.bytes(file))
        }
        guard given[\.digest] else { return (algorithm, try KeyFiles.digest(of: file, hash)) }
        let digest = try KeyFiles.bytes(file)
        let count = hash.digestCount
        guard digest.count == count else {
            throw UsageError(
                "\(algorithm.rawValue) takes a digest of \(count) bytes, and this one has \(digest.count): "
                    + "leave --digest out to sign a message")
        }
        return (algorithm, digest)
    }
}

/// `latchkey key sign`
enum KeySignCommand {
    struct Options: OptionList {
        let vault = VaultAccess.option
        let signing = SigningOptions()
        let base64 = KeyFiles.base64
    }

    static let declaration = Declaration(
        name: "sign", summary: "sign a file with a private key",
        text: """
            Signs FILE, or standard input, and writes the signature to standard output. You authenticate at the terminal if
            the access policy of the key requires it. An ECDSA signature is in DER, as openssl has it.
            """,
        operands: [KeyAccess.operand, KeyFiles.operand(says: "the file to sign; standard input by default")],
        options: Options(),
        examples: [
            ("latchkey key sign work/signing release.tar > release.sig", ""),
            (
                "openssl dgst -sha256 -verify signing.pem -signature release.sig release.tar",
                "verifies it elsewhere, with the public key"
            ),
        ],
        statuses: ExitStatus.all(but: [.exists]), run: run)

    @Sendable private static func run(_ given: Given<Options>) throws -> String {
        let name = given.words[0]
        let access = try KeyAccess(given[\.vault])
        // Look before the prompt, so that you never authenticate for a file that cannot be read.
        let key = try access.key(name, because: "sign with \(name)")
        let (algorithm, digest) = try SigningOptions.digest(
            given[\.signing], of: given.rawWords.dropFirst().first, for: key.publicKey.type)
        let isMessage = algorithm.hash == nil
        let request = SignCall(
            name, digest: isMessage ? "" : Hexadecimal.text(digest), algorithm, isRaw: given[\.signing][\.raw])
        let signature = try access.vault.ask(
            request, because: "sign with \(name)",
            sending: SecureBytes(copying: (isMessage ? digest : []).span.bytes)
        ).reply.signature
        try KeyFiles.write(signature, inBase64: given[\.base64])
        return ""
    }
}

/// `latchkey key verify`
enum KeyVerifyCommand {
    struct Options: OptionList {
        let vault = VaultAccess.option
        let publicKey = Option(
            path: "--public", says: "verify with the public key or certificate in this file; needs no vault")
        let signing = SigningOptions()
        let base64 = Option("--base64", says: "the signature is in base64")
    }

    static let declaration = Declaration(
        name: "verify", summary: "verify a signature with a public key",
        text: """
            Verifies the signature in the file SIGNATURE of FILE, or of standard input, and exits with 0 if it is valid, or 1 if
            it is not. It needs no authentication.
            """,
        operands: [
            Operand(name: "NAME", says: "the name of the key; left out with --public", values: .key),
            Operand(name: "SIGNATURE", values: .file, isOptional: true, takesAnyBytes: true),
            KeyFiles.operand(says: "the file that was signed; standard input by default"),
        ],
        options: Options(),
        examples: [
            ("latchkey key verify work/signing release.sig release.tar", ""),
            ("latchkey key verify --public signing.pem release.sig release.tar", "on any machine"),
        ],
        statuses: [(1, "the signature is not valid")] + ExitStatus.all(but: [.exists]),
        usages: ["NAME SIGNATURE [FILE] [OPTION…]", "--public FILE SIGNATURE [FILE] [OPTION…]"], run: run)

    @Sendable private static func run(_ given: Given<Options>) throws -> String {
        var words = given.rawWords[...]
        let key: PublicKey
        if let file = given[\.publicKey] {
            key = try KeyFiles.publicKey(file)
        } else {
            let name = words.removeFirst().text
            if words.isEmpty { throw UsageError("SIGNATURE is missing") }
            key = try KeyAccess(given[\.vault]).key(name, because: "verify with \(name)").publicKey
        }
        guard let file = words.popFirst() else { throw UsageError("SIGNATURE is missing") }
        if words.count > 1 { throw UsageError("\(words[words.startIndex + 1].text) is a word too many") }
        let signature = try KeyFiles.decoded(KeyFiles.bytes(file), inBase64: given[\.base64], file.text)
        let (algorithm, digest) = try SigningOptions.digest(given[\.signing], of: words.first, for: key.type)
        let isValid: Bool
        do throws(KeyError) {
            isValid = try key.verify(
                signature.span.bytes, of: digest.span.bytes, with: algorithm.scheme(isRaw: given[\.signing][\.raw]))
        } catch { throw AgentError(.request, "\(error)") }
        guard isValid else {
            throw CommandError(
                "the signature is not valid: the file or the signature was changed, or another key or algorithm made it"
            )
        }
        Output.confirm("The signature is valid.")
        return ""
    }
}
