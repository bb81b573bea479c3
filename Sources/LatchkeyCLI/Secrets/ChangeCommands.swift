internal import CommandLineKit
internal import Glibc
internal import LatchkeyAgent
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
    }

    static let declaration = Declaration(
        name: "edit", summary: "change the value, access policy or comment of a secret",
        text: """
            Without options, prompts for a new value; otherwise changes what the options name. You authenticate as for
            reading the secret. With biometryCurrentSet, the secret is bound to the fingers and faces enrolled now. If it is
            invalidated and nothing else opens it, save it again with latchkey set.
            """,
        operands: [Operand(name: "NAME", values: .secret)],
        options: Options(),
        examples: [
            ("latchkey edit work/token", "prompts for the new value"),
            ("latchkey edit work/token --preset passcode", "requires the passcode for each read from now on"),
            ("pwgen -s 32 1 | latchkey edit --trim db/password", "takes the new value from a program"),
        ],
        statuses: ExitStatus.all(but: [.exists]), group: "secrets", run: run)

    @Sendable private static func run(_ given: Given<Options>) throws -> String {
        let options = given[\.secret]
        let access = try VaultAccess(given[\.vault], suggestsNames: true)
        let name = try access.chosen(given.words[0])
        // Look before the prompt, so that you never type a value for a secret that does not exist.
        let present = try access.entry(of: name, because: "change \(name)").item.policy
        var changes = Request.Changes(comment: options[\.comment])
        changes.policy = try ItemPolicyWords.policy(given[\.policy], for: present)
        let isOther = changes.policy != nil || changes.comment != nil
        if isOther && !options[\.value] && options[\.file] == nil {
            _ = try access.ask(.change(name, changes), because: "change \(name)")
        } else {
            let secret = try SetCommand.secret(
                from: options[\.file], trimmed: options[\.trim], access.user, for: name)
            _ = try access.ask(.change(name, changes), because: "change \(name)", sending: secret)
        }
        SetCommand.confirm(name, changes.policy ?? present)
        return ""
    }
}
