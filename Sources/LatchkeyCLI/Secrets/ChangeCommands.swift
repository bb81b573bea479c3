internal import AgentProtocol
internal import CommandLineKit
internal import Glibc
internal import PlainText
internal import SodiumKit

/// `latchkey edit`
enum EditCommand {
    struct Options: OptionList {
        let vault = VaultAccess.option
        let secret = Secret()
        let policy = ItemPolicyWords.Options()
    }

    struct Secret: OptionList {
        let heading = "secret"
        let editor = Option(
            "--editor", says: "change the value in your editor, $VISUAL or $EDITOR, in a file in memory")
        let value = Option("--value", says: "change the value too, beside what other options change")
        let file = Option(path: "--from-file", says: "read the new value from this file, byte by byte")
        let trim = SavingOptions.trim
        let comment = Option("--comment", value: "TEXT", says: "replace the comment; \"\" removes it")
        let field = Option(
            "--field", value: "FIELD", says: "add or replace this field instead of the value, such as user or notes")
        let removedField = Option("--remove-field", value: "FIELD", says: "remove this field")
        let forget = SavingOptions.forget
    }

    static let declaration = Declaration(
        name: "edit", summary: "change the value, access policy or comment of a secret",
        text: """
            Without options, prompts for a new value; otherwise changes what the options name. You authenticate as for
            reading the secret, at each change, even in a session in which reading does not ask. Fields are protected like the value. The former value stays for a while: see latchkey
            history. With biometryCurrentSet, the secret is bound to the fingers and faces enrolled now. If it is
            invalidated and nothing else opens it, save it again with latchkey set.

            --editor gives your editor the secret in a file that only you can read, on tmpfs ($XDG_RUNTIME_DIR or /dev/shm), and
            removes it afterwards. What the editor itself keeps, such as swap files, backups and undo files elsewhere, latchkey
            cannot remove: turn them off in the editor.
            """,
        operands: [Operand(name: "NAME", values: .secret)],
        options: Options(),
        examples: [
            ("latchkey edit work/token", "prompts for the new value"),
            ("latchkey edit --editor ssh/config", "opens it in your editor"),
            ("latchkey edit work/token --preset passcode", "requires the passcode for each read from now on"),
            ("pwgen -s 32 1 | latchkey edit --trim db/password", "takes the new value from a program"),
            ("latchkey edit work/mail --field user", "adds a field; latchkey get work/mail user reads it"),
        ],
        statuses: ExitStatus.all(but: [.exists]), group: "secrets", run: run)

    @Sendable private static func run(_ given: Given<Options>) throws -> String {
        let options = given[\.secret]
        if options[\.editor],
            let other = options.first(of: [
                \.value.facts, \.file.facts, \.trim.facts, \.field.facts, \.removedField.facts,
            ])
        {
            throw UsageError("--editor and \(other) exclude each other")
        }
        let access = try VaultAccess(given[\.vault], suggestsNames: true)
        let name = try access.chosen(given.words[0])
        // Look before the prompt, so that you never type a value for a secret that does not exist.
        let (item, outlook) = try access.entry(of: name, because: "change \(name)")
        let present = item.policy
        var changes = ChangeCall.Changes(comment: options[\.comment], forgets: options[\.forget])
        changes.policy = try ItemPolicyWords.policy(given[\.policy], for: present)
        try access.requirePasscodeAccepted(for: outlook)
        try access.requireRoom()
        if options[\.editor] {
            try edit(item, changes, access)
            return ""
        }
        if options[\.field] != nil || options[\.removedField] != nil {
            if changes != ChangeCall.Changes() || options[\.value]
                || (options[\.field] != nil && options[\.removedField] != nil)
            {
                throw UsageError("--field and --remove-field change one field and nothing else")
            }
            return try changeField(of: name, options, access)
        }
        let isOther = changes != ChangeCall.Changes()
        if isOther && !options[\.value] && options[\.file] == nil {
            _ = try access.ask(ChangeCall(name, changes), because: "change \(name)")
            if changes == ChangeCall.Changes(forgets: true) {
                Output.confirm("Deleted the former values of \(Terminal.line(name)).")
                return ""
            }
        } else {
            let secret = try GivenSecret.read(
                from: options[\.file], trimmed: options[\.trim], access.user, for: "a new value of \(name)")
            _ = try access.ask(ChangeCall(name, changes), because: "change \(name)", sending: secret)
        }
        SecretSaving.confirm(name, changes.policy ?? present, access)
        return ""
    }

    private static func changeField(
        of name: String, _ options: Given<Secret>, _ access: VaultAccess
    ) throws -> String {
        if let field = options[\.removedField] {
            _ = try access.ask(EditPartCall(name, EditPartCall.Change(removedField: field)), because: "change \(name)")
            Output.confirm("\(Terminal.line(name)) has no field \(Terminal.line(field)).")
        } else if let field = options[\.field] {
            let secret = try FieldOptions.contents(
                of: field, name, from: options[\.file], trimmed: options[\.trim], access)
            let change = EditPartCall.Change(field: field)
            _ = try access.ask(EditPartCall(name, change), because: "change \(name)", sending: secret)
            Output.confirm("Saved the field \(Terminal.line(field)) of \(Terminal.line(name)).")
        }
        return ""
    }

    /// Changes the value in the user's editor.
    private static func edit(
        _ item: Entry, _ changes: ChangeCall.Changes, _ access: VaultAccess
    ) throws {
        let (name, present) = (item.name, item.policy)
        var reply = try access.ask(ReadCall(name), because: "edit \(name)")
        guard let former = reply.secret.take() else {
            throw AgentError(.agent, "the agent sent no secret for \(name)")
        }
        switch try Editor.edit(former) {
        case .some(let edited):
            try requireUnchanged(item, access)
            try save(edited, as: name, changes, access)
            SecretSaving.confirm(name, changes.policy ?? present, access)
        case .none where changes != ChangeCall.Changes():
            _ = try access.ask(ChangeCall(name, changes), because: "change \(name)")
            SecretSaving.confirm(name, changes.policy ?? present, access)
        case .none: Output.confirm("You changed nothing, so \(Terminal.line(name)) is as it was.")
        }
    }

    /// Asks before a save replaces what another program has saved while the editor was open.
    private static func requireUnchanged(_ item: Entry, _ access: VaultAccess) throws {
        guard let now = try entry(of: item, access), now.modified != item.modified else { return }
        let question = "\(Terminal.line(item.name)) was changed while you edited it. Replace that change?"
        guard try access.prompter.confirms(question, else: "run the command in a terminal") else {
            throw AgentError(.dismissed, "\(item.name) was changed meanwhile, and what you edited was not saved")
        }
    }

    /// Returns what is stored by now; nil if it is gone, which the save says. The user can try again, as with saving.
    private static func entry(of item: Entry, _ access: VaultAccess) throws -> Entry? {
        try untilDone(item.name, access) { () throws(AgentError) in
            do throws(AgentError) { return try access.entry(of: item.name, because: "change \(item.name)").item } catch
            {
                guard error.kind == .notFound else { throw error }
                return nil
            }
        }
    }

    /// Saves what the user has edited. If that fails, for example because the vault was locked meanwhile and the prompt is
    /// dismissed, the user can try again, so that no work is lost.
    private static func save(
        _ edited: borrowing SecureBytes, as name: String, _ changes: ChangeCall.Changes, _ access: VaultAccess
    ) throws {
        try untilDone(name, access) { () throws(AgentError) in
            _ = try access.ask(ChangeCall(name, changes), because: "change \(name)", sending: edited)
        }
    }

    /// Runs `body` until it does not fail, or the user does not want to try again.
    private static func untilDone<Value>(
        _ name: String, _ access: VaultAccess, _ body: () throws(AgentError) -> Value
    ) throws -> Value {
        while true {
            do throws(AgentError) { return try body() } catch {
                guard access.prompter.user != nil else { throw error }
                Output.complain("\(error)")
                let question = "\(Terminal.line(name)) is not saved yet. Try again?"
                guard try access.prompter.confirms(question, else: "run the command in a terminal") else { throw error }
            }
        }
    }
}
