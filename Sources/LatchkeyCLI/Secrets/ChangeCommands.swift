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
        let heading = "the secret"
        let value = Option("--value", says: "its value as well, where something else is changed")
        let file = Option(path: "--from-file", says: "its value becomes what is in this file")
        let trim = SetCommand.trim
        let comment = Option("--comment", value: "TEXT", says: "another note beside it, \"\" for none")
    }

    static let declaration = Declaration(
        name: "edit", summary: "change a secret, or what it demands",
        text: """
            Sets another value, which is asked for or read as by latchkey set, or with --require, --accessible or --preset
            another demand, or with --comment another note. What is changed has to be opened, so what it demands is asked for.

            A demand for the present set of enrollments is bound anew: to the set of now. Where that is lost because the set has
            changed, and no other way is left, the secret is gone: set it again.
            """,
        operands: [Operand(name: "NAME", values: .secret)],
        options: Options(),
        statuses: ExitStatus.all(but: [.exists]), group: "secrets", run: run)

    @Sendable private static func run(_ given: Given<Options>) throws -> String {
        let (name, options) = (given.words[0], given[\.secret])
        let access = try VaultAccess(given[\.vault])
        // Before anybody has typed anything for what is not there.
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
        return ""
    }
}

/// `latchkey mv`
enum MoveCommand {
    static let declaration = Declaration(
        name: "mv", summary: "give a secret another name",
        text: "Gives a secret another name. It has to be opened for that, so what it demands is asked for.",
        operands: [Operand(name: "NAME", values: .secret), Operand(name: "NEWNAME", values: .secret)],
        options: VaultOptions(), statuses: ExitStatus.all(), group: "secrets", run: run)

    @Sendable private static func run(_ given: Given<VaultOptions>) throws -> String {
        let access = try VaultAccess(given[\.vault])
        let (name, other) = (given.words[0], given.words[1])
        // Before anybody is asked for what the one of the old name demands.
        if try name != other && access.has(other, because: "rename \(name)") {
            throw AgentError(.exists, "there is a secret \(other) already: latchkey rm removes it without a prompt")
        }
        _ = try access.ask(.change(name, Request.Changes(name: other)), because: "rename \(name)")
        return ""
    }
}

/// `latchkey rm`
enum RemoveCommand {
    struct Options: OptionList {
        let vault = VaultAccess.option
        let force = Option("--force", "-f", says: "what is not there is no mistake")
    }

    static let declaration = Declaration(
        name: "rm", summary: "take secrets out for good",
        text: "Takes secrets out of the vault for good. As on Apple's devices that asks nobody for anything.",
        operands: [Operand(name: "NAME", values: .secret, isRepeated: true)],
        options: Options(),
        statuses: ExitStatus.all(but: [.exists]), group: "secrets", run: run)

    @Sendable private static func run(_ given: Given<Options>) throws -> String {
        let access = try VaultAccess(given[\.vault])
        var missing: AgentError?
        for name in given.words {
            do throws(AgentError) {
                _ = try access.ask(.remove(name), because: "take out \(name)")
            } catch {
                guard error.kind == .notFound else { throw error }
                if given[\.force] { continue }
                Output.complain("there is no secret \(name): latchkey list shows those that are there")
                missing = error
            }
        }
        if let missing { exit(ExitStatus.of(missing.kind)) }
        return ""
    }
}
