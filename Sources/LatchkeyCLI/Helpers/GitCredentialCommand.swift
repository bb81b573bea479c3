internal import AgentProtocol
internal import CommandLineKit
internal import Glibc
internal import PlainText
internal import SecretTools
internal import SodiumKit

/// `latchkey git-credential`
enum GitCredentialCommand {
    static let declaration = Declaration(
        name: "git-credential", summary: "serve git as credential helper",
        text: """
            Serves git with passwords and tokens, by the credential protocol of git. They are saved as
            git/PROTOCOL/HOST/USERNAME, with the path before the user if credential.useHttpPath is set.

            get asks for the authentication that the secret requires; if you decline, git quits. store saves what is new,
            and replaces an existing password only if reading it needs no authentication. erase deletes a password that
            git found wrong, after reading it to compare. docs/helpers.md has the details.
            """,
        operands: [Operand(name: "OPERATION", says: "get, store or erase", values: .words(["get", "store", "erase"]))],
        options: StoringOptions(),
        examples: [
            ("git config --global credential.helper latchkey", "needs git-credential-latchkey, a link to latchkey"),
            (
                "git config --global credential.helper '!latchkey git-credential --preset service'",
                "needs no link, and never asks for authentication"
            ),
        ],
        statuses: ExitStatus.all(but: [.notFound, .exists]), group: "helpers", run: run)

    @Sendable private static func run(_ given: Given<StoringOptions>) throws -> String {
        // Understand the options first, so that a mistake in the configuration of git shows at every operation.
        let policy = try ItemPolicyWords.policy(given[\.policy])
        let operation = given.words[0]
        guard ["get", "store", "erase"].contains(operation) else { return "" }  // a later git may have others
        let access = try VaultAccess(given[\.vault])
        let credential = try GitCredential.read(try SecretInput.read(STDIN_FILENO, called: "standard input"))
        switch operation {
        case "get": try get(credential, access)
        case "store": try store(credential, policy, access)
        default: try erase(credential, access)
        }
        return ""
    }

    /// Returns the secrets that git may mean: that of the user, or else those of every user of the place.
    private static func names(
        of credential: borrowing GitCredential, because reason: String, _ access: VaultAccess
    ) throws -> [(name: SecretName, username: String)] {
        if let username = credential.username { return [(try credential.name(of: username), username)] }
        return try access.secrets(in: credential.folder(), because: reason).map { ($0.name, $0.last) }
    }

    private static func get(_ credential: borrowing GitCredential, _ access: VaultAccess) throws {
        let purpose = "log git in to \(Terminal.name(credential.host, also: "[]:"))"
        guard let (name, username) = try names(of: credential, because: purpose, access).first else { return }
        let reason = "\(purpose) as \(Terminal.name(username, also: "@"))"
        guard let kept = try read(name, because: reason, access, quits: true) else { return }
        guard let secret = try GitPassword(kept: kept) else {
            throw AgentError(
                .request,
                "\(name) has a line end or a zero byte, which git cannot take: change it with `latchkey edit \(Shell.word(name.text))`"
            )
        }
        let now = UInt64(max(0, time(nil)))
        if secret.isExpired(at: now), let expiry = secret.expiry {
            // git gets no password then, and goes on to its next helper or asks for one.
            let moment = ShownTime.text(Int64(clamping: expiry.multipliedReportingOverflow(by: 1000).partialValue))
            Output.complain("the password of \(name) expired on \(moment), so git does not get it")
        }
        let lines = try secret.answer(at: now)
        if lines.count == 0 { return }
        var answer = try SecureBuffer(capacity: lines.count + username.utf8.count + 32)
        try answer.append(text: "username=\(username)\n")
        try lines.withBytes { try answer.append($0) }
        try SecretOutput.put(try answer.bytes())
    }

    /// Returns the secret; nil if there is none with this name. If the user declines and `quits` is true, git is asked to quit:
    /// it would prompt for a password otherwise.
    private static func read(
        _ name: SecretName, because reason: String, _ access: VaultAccess, quits: Bool = false
    ) throws -> SecureBytes? {
        do throws(AgentError) {
            var reply = try access.ask(ReadCall(name.text), because: reason)
            if let secret = reply.secret.take() { return secret }
        } catch {
            if error.kind == .notFound { return nil }
            if quits && [.denied, .dismissed, .wrong].contains(error.kind) { Output.write("quit=1\n") }
            throw error
        }
        return try SecureBytes(count: 0)  // the agent sends no secret if it is empty
    }

    private static func store(_ credential: borrowing GitCredential, _ policy: ItemPolicy?, _ access: VaultAccess)
        throws
    {
        guard let username = credential.username, let secret = try credential.secret() else { return }
        let kept = try secret.kept()
        let name = try credential.name(of: username)
        let reason = "save \(name)"
        // git stores after each use. Replacing a secret that needs authentication would prompt every time, so it stays.
        switch try outlook(of: name, access) {
        case .none:
            let request = AddCall(name.text, policy, comment: nil, replaces: false)
            _ = try access.ask(request, because: reason, sending: kept)
        case .granted?:
            guard let former = try read(name, because: reason, access), !former.equals(kept) else { return }
            _ = try access.ask(ChangeCall(name.text, ChangeCall.Changes()), because: reason, sending: kept)
        case .asks?, .denied?: break
        }
    }

    /// Returns the decision that reading the secret would get now; nil if there is none with this name.
    private static func outlook(of name: SecretName, _ access: VaultAccess) throws(AgentError) -> Outlook? {
        do throws(AgentError) { return try access.entry(of: name.text).outlook } catch {
            if error.kind == .notFound { return nil }
            throw error
        }
    }

    private static func erase(_ credential: borrowing GitCredential, _ access: VaultAccess) throws {
        let wrong = try credential.secret()
        let purpose = "delete a password of git for \(credential.host)"
        for (name, _) in try names(of: credential, because: purpose, access) {
            switch wrong {
            case .none: break
            case .some(let wrong):
                let reason = "compare \(name) with the password that git found wrong"
                guard let kept = try read(name, because: reason, access), let secret = try GitPassword(kept: kept),
                    secret.password.equals(wrong.password)
                else { continue }
            }
            do throws(AgentError) {
                _ = try access.ask(RemoveCall(name.text, isFinal: true), because: "delete \(name)")
            } catch {
                if error.kind != .notFound { throw error }
            }
        }
    }
}
