internal import CommandLineKit
internal import Glibc
internal import LatchkeyAgent
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
        let value = Option("--value", says: "change the value too, beside what other options change")
        let file = Option(path: "--from-file", says: "read the new value from this file, byte by byte")
        let trim = SetCommand.trim
        let comment = Option("--comment", value: "TEXT", says: "replace the comment; \"\" removes it")
        let field = Option(
            "--field", value: "FIELD", says: "add or replace this field instead of the value, such as user or notes")
        let removedField = Option("--remove-field", value: "FIELD", says: "remove this field")
        let forget = SetCommand.forget
    }

    static let declaration = Declaration(
        name: "edit", summary: "change the value, access policy or comment of a secret",
        text: """
            Without options, prompts for a new value; otherwise changes what the options name. You authenticate as for
            reading the secret. Fields are protected like the value. The former value stays for a while: see latchkey
            history. With biometryCurrentSet, the secret is bound to the fingers and faces enrolled now. If it is
            invalidated and nothing else opens it, save it again with latchkey set.
            """,
        operands: [Operand(name: "NAME", values: .secret)],
        options: Options(),
        examples: [
            ("latchkey edit work/token", "prompts for the new value"),
            ("latchkey edit work/token --preset passcode", "requires the passcode for each read from now on"),
            ("pwgen -s 32 1 | latchkey edit --trim db/password", "takes the new value from a program"),
            ("latchkey edit work/mail --field user", "adds a field; latchkey get work/mail user reads it"),
        ],
        statuses: ExitStatus.all(but: [.exists]), group: "secrets", run: run)

    @Sendable private static func run(_ given: Given<Options>) throws -> String {
        let (name, options) = (given.words[0], given[\.secret])
        let access = try VaultAccess(given[\.vault], suggestsNames: true)
        // Look before the prompt, so that you never type a value for a secret that does not exist.
        let present = try access.entry(of: name, because: "change \(name)").item.policy
        var changes = Request.Changes(comment: options[\.comment], forgets: options[\.forget])
        changes.policy = try ItemPolicyWords.policy(given[\.policy], for: present)
        if options[\.field] != nil || options[\.removedField] != nil {
            if changes != Request.Changes() || options[\.value]
                || (options[\.field] != nil && options[\.removedField] != nil)
            {
                throw UsageError("--field and --remove-field change one field and nothing else")
            }
            return try changeField(of: name, options, access)
        }
        let isOther = changes != Request.Changes()
        if isOther && !options[\.value] && options[\.file] == nil {
            _ = try access.ask(.change(name, changes), because: "change \(name)")
            if changes == Request.Changes(forgets: true) {
                Output.confirm("Deleted the former values of \(Terminal.line(name)).")
                return ""
            }
        } else {
            let secret = try SetCommand.secret(
                from: options[\.file], trimmed: options[\.trim], access.user, for: name)
            _ = try access.ask(.change(name, changes), because: "change \(name)", sending: secret)
        }
        SetCommand.confirm(name, changes.policy ?? present)
        return ""
    }

    private static func changeField(
        of name: String, _ options: Given<Secret>, _ access: VaultAccess
    ) throws -> String {
        if let field = options[\.removedField] {
            _ = try access.ask(.editPart(name, Request.PartChange(removedField: field)), because: "change \(name)")
            Output.confirm("\(Terminal.line(name)) has no field \(Terminal.line(field)).")
        } else if let field = options[\.field] {
            let secret = try SetCommand.secret(
                from: options[\.file], trimmed: options[\.trim], access.user, for: "\(name) \(field)")
            let change = Request.PartChange(field: field)
            _ = try access.ask(.editPart(name, change), because: "change \(name)", sending: secret)
            Output.confirm("Saved the field \(Terminal.line(field)) of \(Terminal.line(name)).")
        }
        return ""
    }
}

/// `latchkey mv`
enum MoveCommand {
    static let declaration = Declaration(
        name: "mv", summary: "rename a secret",
        text: "Renames a secret. You authenticate as for reading it. An existing secret is never replaced.",
        operands: [Operand(name: "NAME", values: .secret), Operand(name: "NEWNAME", values: .secret)],
        options: VaultOptions(), examples: [("latchkey mv work/token work/old-token", "")],
        statuses: ExitStatus.all(), group: "secrets", run: run)

    @Sendable private static func run(_ given: Given<VaultOptions>) throws -> String {
        let access = try VaultAccess(given[\.vault], suggestsNames: true)
        let (name, other) = (given.words[0], given.words[1])
        // Look before the prompt, so that you never authenticate for a rename that cannot be done.
        if try name != other && access.has(other, because: "rename \(name)") {
            throw AgentError(
                .exists, "there is a secret \(other) already: remove it with `latchkey rm`, or choose another name")
        }
        _ = try access.ask(.change(name, Request.Changes(name: other)), because: "rename \(name)")
        Output.confirm("Renamed \(name) to \(other).")
        return ""
    }
}

/// `latchkey rm`
enum RemoveCommand {
    struct Options: OptionList {
        let vault = VaultAccess.option
        let force = Option("--force", "-f", says: "ignore names that do not exist")
    }

    static let declaration = Declaration(
        name: "rm", summary: "delete secrets for good",
        text: "Deletes secrets for good. As on Apple's devices, deleting never asks for authentication.",
        operands: [Operand(name: "NAME", values: .secret, isRepeated: true)],
        options: Options(), examples: [("latchkey rm work/old-token", "")],
        statuses: ExitStatus.all(but: [.exists]), group: "secrets", run: run)

    @Sendable private static func run(_ given: Given<Options>) throws -> String {
        let access = try VaultAccess(given[\.vault], suggestsNames: !given[\.force])
        var missing: AgentError?
        for name in given.words {
            do throws(AgentError) {
                _ = try access.ask(.remove(name), because: "delete \(name)")
                Output.confirm("Deleted \(name).")
            } catch {
                guard error.kind == .notFound else { throw error }
                if given[\.force] { continue }
                // Go on: the other names may exist.
                Output.complain("\(error)")
                missing = error
            }
        }
        if let missing { exit(ExitStatus.of(missing.kind)) }
        return ""
    }
}
