internal import AgentProtocol
internal import CommandLineKit
internal import Glibc
internal import LatchkeyCLI
internal import LinuxSystem
internal import LoanRules
internal import PlainText
internal import Sandbox
internal import ScenarioFormat

/// `latchkey lend`
enum LendCommand {
    struct Options: OptionList {
        let vault = VaultAccess.option
        let yes = Option("--yes", "-y", says: "agree to a profile that is new or has changed")
        let authorities = Option(
            "--ca", value: "FILE", says: "trust the authorities in this file instead of those of the system",
            values: .file)
        let quiet = Option("--quiet", "-q", says: "do not say what is lent and what the sandbox keeps out")
    }

    static let declaration = Declaration(
        name: "lend", summary: "let a program in a sandbox use secrets that it never reads",
        text: """
            Runs PROGRAM in a sandbox that has its work folder, the programs of the system, no network, and what PROFILE lends:
            for each service an address on 127.0.0.1. A request to it goes to the server of the service, with the secret put in
            on the way. The program never has the secret, and neither has any file or variable in the sandbox.

            A secret goes only to servers that you allowed for it with `latchkey lend allow`. Each use is decided by its policy; the
            prompt appears in a window, or at another terminal by `latchkey approve`. A profile that is new or has changed is
            shown before anything starts. docs/lend.md has the details.
            """,
        operands: [
            Operand(name: "PROFILE", says: "a file that `latchkey lend new` begins", values: .file),
            Operand(name: "PROGRAM", values: .command, isOptional: true, isCommandLine: true),
        ],
        options: Options(),
        commands: [
            LendAllowCommand.declaration, LendCheckCommand.declaration, LendListCommand.declaration,
            LendEndCommand.declaration, LendNewCommand.declaration,
        ],
        examples: [
            ("latchkey lend new site.yaml", "writes a first profile"),
            ("latchkey lend allow work/api https://api.example.com", "lets that secret go to that server"),
            ("latchkey lend site.yaml -- ./agent", "runs a program that may use it"),
            ("latchkey lend end", "ends everything that is lent"),
        ],
        statuses: ExitStatus.all(but: [.exists]) + ExitStatus.ofRun, group: "secrets",
        usages: ["PROFILE [OPTION…] -- PROGRAM…", "COMMAND [OPTION…]"], run: run)

    @Sendable private static func run(_ given: Given<Options>) throws -> String {
        let profile = try LentProfile(given.words[0], orOneOf: declaration.commands.map(\.name))
        if given.rawWords.count == 1 {
            throw UsageError("name the program that borrows: latchkey lend \(Shell.word(given.words[0])) -- PROGRAM")
        }
        let words = given.rawWords.dropFirst().map(\.text)
        do throws(SandboxError) { try Sandbox.requireBubblewrap() } catch { throw AgentError(.unavailable, "\(error)") }
        // Ask what is to be asked before the program has the terminal.
        let access = try VaultAccess(given[\.vault])
        let place = try VaultAccess.place(given[\.vault])
        try AgreedProfiles(place).require(
            profile, isAgreed: given[\.yes], isQuiet: given[\.quiet], asking: access.prompter)
        let user = try LendingUser(given[\.vault], pinentry: access.client.pinentry)
        var lenders: [Lender] = []
        var asking: [LoanAsking] = []
        for service in profile.profile.services {
            let lender = Lender(service, of: profile.profile.name, to: words, at: place, asking: user)
            do throws(AgentError) { asking.append(try lender.begin(asking: access.user)) } catch {
                throw error.inCommandWords(for: service.item, isKey: service.target.isOfKey)
            }
            lenders.append(lender)
        }
        let loan = try RunningLoan(
            profile, words, lenders, at: place, given[\.authorities])
        loan.warn()
        if !given[\.quiet] { loan.describe(asking) }
        exit(try loan.finish())
    }
}
