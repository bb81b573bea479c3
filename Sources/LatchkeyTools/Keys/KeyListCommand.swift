internal import AccessPolicy
internal import AgentProtocol
internal import CommandLineKit
internal import Glibc
internal import KeyKit
internal import LatchkeyCLI
internal import PlainText

/// `latchkey key list`
enum KeyListCommand {
    struct Options: OptionList {
        let vault = VaultAccess.option
        let names = Option("--names", says: "print only names, one on each line")
        let json = Option("--json", says: "print one JSON object on each line")
    }

    static let declaration = Declaration(
        name: "list", summary: "list private keys and their access policies",
        text: """
            Lists every private key with its type, where it is, its access policy, its fingerprint and its certificate. The
            fingerprint is the SHA-1 digest of the public key, which Apple's keychain uses. The command never prompts.
            """,
        options: Options(), examples: [("latchkey key list", "")],
        statuses: ExitStatus.all(but: [.notFound, .exists]), run: run)

    @Sendable private static func run(_ given: Given<Options>) throws -> String {
        let access = try KeyAccess(given[\.vault], mayAsk: false)
        let (entries, locked, damaged) = try access.vault.keys()
        if given[\.names] { return lines(of: entries, given) }
        Output.write(lines(of: entries, given))
        if entries.isEmpty && locked + damaged == 0 && isatty(STDOUT_FILENO) == 1 {
            Output.confirm("No keys yet. To generate one, run `latchkey key generate NAME`.")
        }
        // As for secrets, an incomplete list has a status of its own.
        if locked > 0 { Output.complain("\(counted(locked, "key")) locked: run `latchkey unlock`") }
        if damaged > 0 { Output.complain("\(counted(damaged, "key")) damaged: run `latchkey verify`") }
        if locked + damaged > 0 { exit(ExitStatus.of(damaged > 0 ? .damaged : .locked)) }
        return ""
    }

    private static func lines(of entries: [KeyEntry], _ given: Given<Options>) -> String {
        if given[\.json] { return entries.map { $0.head.text + "\n" }.joined() }
        if given[\.names] { return entries.map { Terminal.line($0.name) + "\n" }.joined() }
        var table = TextTable()
        for entry in entries {
            let place =
                entry.card.map { "card \(Terminal.line($0, longest: TextTable.longestName))" }
                ?? (entry.isInEnclave ? "enclave" : "software")
            let row: [TextTable.Cell] = [
                .init(Terminal.line(entry.name, longest: TextTable.longestName)), .init(entry.type), .init(place),
                .init(entry.policy.flagWords), .init(entry.policy.protection.name, .faint),
                .init(entry.fingerprint, .faint),
            ]
            table.rows.append(row + [entry.certificate.map { .init(Terminal.line($0)) }].compactMap(\.self))
        }
        return table.text(colored: Output.isColored)
    }
}

/// `latchkey key public`
enum KeyPublicCommand {
    struct Options: OptionList {
        let vault = VaultAccess.option
        let der = Option("--der", says: "write it in DER instead of PEM")
    }

    static let declaration = Declaration(
        name: "public", summary: "write the public key of a private key",
        text: """
            Writes the public key as a SubjectPublicKeyInfo in PEM, which openssl and most programs read. It needs no
            authentication, only an unlocked vault.
            """,
        operands: [KeyAccess.operand], options: Options(),
        examples: [("latchkey key public work/signing > signing.pem", "")],
        statuses: ExitStatus.all(but: [.exists]), run: run)

    @Sendable private static func run(_ given: Given<Options>) throws -> String {
        let name = given.words[0]
        let key = try KeyAccess(given[\.vault]).key(name, because: "show the public key of \(name)").publicKey
        guard given[\.der] else { return try key.pem() }
        try KeyFiles.write(key.subjectPublicKeyInfo, inBase64: false)
        return ""
    }
}

/// `latchkey key certificate`
enum KeyCertificateCommand {
    struct Options: OptionList {
        let vault = VaultAccess.option
        let der = Option("--der", says: "write it in DER instead of PEM")
    }

    static let declaration = Declaration(
        name: "certificate", summary: "store or write the certificate of a private key",
        text: """
            Stores the certificate in FILE, in PEM or DER, with the private key, and deletes its former certificate. The
            certificate has to be for this key; nothing else about it is checked. Without FILE, writes the certificate.
            """,
        operands: [KeyAccess.operand, KeyFiles.operand(says: "the certificate to store; - for standard input")],
        options: Options(),
        examples: [
            ("latchkey key certificate mail mail.crt", "stores the certificate that an authority has issued"),
            ("latchkey key certificate mail | openssl x509 -noout -text", "shows it"),
        ],
        statuses: ExitStatus.all(), run: run)

    @Sendable private static func run(_ given: Given<Options>) throws -> String {
        let name = given.words[0]
        if let file = given.rawWords.dropFirst().first {
            let certificate = try KeyFiles.certificate(file)
            try KeyAccess(given[\.vault]).store(certificate, for: name)
            Output.confirm("Stored the certificate of \(name)\(certificate.summary.map { ": \($0)" } ?? "").")
            return ""
        }
        let certificate = try KeyAccess(given[\.vault]).certificate(of: name)
        guard given[\.der] else { return try certificate.pem() }
        try KeyFiles.write(certificate.der, inBase64: false)
        return ""
    }
}
