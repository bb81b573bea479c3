internal import CommandLineKit
internal import Glibc
internal import LatchkeyAgent
internal import SecretTools
internal import SodiumKit

/// `latchkey git-credential`
enum GitCredentialCommand {
    static let declaration = Declaration(
        name: "git-credential", summary: "be git's credential helper",
        text: """
            Is what git asks for passwords and tokens, by its protocol of lines on standard input and output. They are called
            git/PROTOCOL/HOST/USERNAME, with the path before the user where credential.useHttpPath is set.

            get hands one out, with all that it demands; where whoever is asked says no, git is told to quit. store keeps one
            that is new. One that is there is compared and replaced only where reading it demands nothing: git stores what it
            has just got after each use, and what has become wrong it erases first. erase takes out what git found wrong, if
            it is still that, for which it is read.

            What belongs to a password is kept with it: password_expiry_utc and oauth_refresh_token, as lines below it. A
            password that has expired is not handed out, which standard error says, but its refresh token is.
            """,
        operands: [Operand(name: "OPERATION", says: "what git wants", values: .words(["get", "store", "erase"]))],
        options: StoringOptions(),
        examples: [
            ("git config --global credential.helper latchkey", "where git-credential-latchkey is a link to latchkey"),
            (
                "git config --global credential.helper '!latchkey git-credential --preset service'",
                "the same without a link, for credentials that nobody is asked for"
            ),
        ],
        statuses: ExitStatus.all(but: [.notFound, .exists]), group: "helpers", run: run)

    @Sendable private static func run(_ given: Given<StoringOptions>) throws -> String {
        // Before anything is read: a mistake in git's configuration is to be seen at each operation.
        let policy = try ItemPolicyWords.policy(given[\.policy]) ?? .usual
        let operation = given.words[0]
        guard ["get", "store", "erase"].contains(operation) else { return "" }  // git has others one day
        let access = try VaultAccess(given[\.vault])
        let credential = try GitCredential.read(try SecretInput.read(STDIN_FILENO, called: "standard input"))
        switch operation {
        case "get": try get(credential, access)
        case "store": try store(credential, policy, access)
        default: try erase(credential, access)
        }
        return ""
    }

    /// The names that git may mean: one where it says a user, or else those of all users of the place.
    private static func names(
        of credential: borrowing GitCredential, _ access: VaultAccess
    ) throws -> [(name: SecretName, username: String)] {
        if let username = credential.username { return [(try credential.name(of: username), username)] }
        return try access.secrets(in: credential.folder()).map { ($0.name, $0.last) }
    }

    private static func get(_ credential: borrowing GitCredential, _ access: VaultAccess) throws {
        guard let (name, username) = try names(of: credential, access).first else { return }
        guard let kept = try read(name, because: "log git in as \(username)", access, quits: true) else { return }
        guard let secret = try GitPassword(kept: kept) else {
            throw AgentError(
                .request, "\(name) has a line end or a zero byte, which git cannot take: latchkey edit \(name)")
        }
        let now = UInt64(max(0, time(nil)))
        if secret.isExpired(at: now), let expiry = secret.expiry {
            // git hears nothing of it, and asks for another one.
            let moment = Moment.text(Int64(clamping: expiry.multipliedReportingOverflow(by: 1000).partialValue))
            Output.complain("the password of \(name) expired on \(moment), and git does not get it")
        }
        let lines = try secret.answer(at: now)
        if lines.count == 0 { return }
        var answer = try SecureBuffer(capacity: lines.count + username.utf8.count + 32)
        try answer.append(text: "username=\(username)\n")
        try lines.withBytes { try answer.append($0) }
        guard SecretOutput.write(try answer.bytes(), to: STDOUT_FILENO) else { throw OutputError(code: errno) }
    }

    /// The secret; nil where there is none of that name. Where it was refused by somebody, and `quits`, git is told so: it would
    /// ask for a password otherwise, and for the next one.
    private static func read(
        _ name: SecretName, because reason: String, _ access: VaultAccess, quits: Bool = false
    ) throws -> SecureBytes? {
        do throws(AgentError) {
            var reply = try access.ask(.read(name.text), because: reason)
            if let secret = reply.secret.take() { return secret }
        } catch {
            if error.kind == .notFound { return nil }
            if quits && [.denied, .dismissed, .wrong].contains(error.kind) { Output.write("quit=1\n") }
            throw error
        }
        return try SecureBytes(count: 0)  // an empty secret comes as none
    }

    private static func store(_ credential: borrowing GitCredential, _ policy: ItemPolicy, _ access: VaultAccess) throws
    {
        guard let username = credential.username, let secret = try credential.secret() else { return }
        let kept = try secret.kept()
        let name = try credential.name(of: username)
        let reason = "keep \(name)"
        // Keeping one of a name that is there would ask for what that one demands, and git stores after each use.
        switch try outlook(of: name, access) {
        case .none:
            let request = Request.add(name.text, policy, comment: nil, replaces: false)
            _ = try access.ask(request, because: reason, sending: kept)
        case .granted?:
            guard let former = try read(name, because: reason, access), !former.equals(kept) else { return }
            _ = try access.ask(.change(name.text, Request.Changes()), because: reason, sending: kept)
        case .asks?, .denied?: break
        }
    }

    /// What would be decided if it were read; nil where there is none.
    private static func outlook(of name: SecretName, _ access: VaultAccess) throws(AgentError) -> Outlook? {
        do throws(AgentError) { return try access.entry(of: name.text).outlook } catch {
            if error.kind == .notFound { return nil }
            throw error
        }
    }

    private static func erase(_ credential: borrowing GitCredential, _ access: VaultAccess) throws {
        let wrong = try credential.secret()
        for (name, _) in try names(of: credential, access) {
            switch wrong {
            case .none: break
            case .some(let wrong):
                let reason = "see whether \(name) is what git found wrong"
                guard let kept = try read(name, because: reason, access), let secret = try GitPassword(kept: kept),
                    secret.password.equals(wrong.password)
                else { continue }
            }
            do throws(AgentError) { _ = try access.ask(.remove(name.text), because: "take out \(name)") } catch {
                if error.kind != .notFound { throw error }
            }
        }
    }
}
