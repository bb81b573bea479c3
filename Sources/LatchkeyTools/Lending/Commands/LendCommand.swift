internal import AgentProtocol
internal import CommandLineKit
internal import Courier
internal import Glibc
internal import LatchkeyCLI
internal import LoanRules
internal import PlainText

/// `latchkey lend`
enum LendCommand {
    struct Options: OptionList {
        let vault = VaultAccess.option
        let folder = Option(
            "--to", value: "FOLDER", says: "lend to a container, or to another user, by sockets in this folder",
            values: .folder)
        let user = Option("--user", value: "NAME", says: "with --to: only this user can connect")
        let network = Option("--network", says: "let the program have the network of this machine")
        let noBoundary = Option("--no-boundary", says: "run the program without a sandbox, which protects nothing")
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
            shown before anything starts.

            With --to, no program is started. FOLDER gets a Unix socket for each service, and a file `environment` with the
            variables, until you press Ctrl-C. Give the folder to a container. docs/lend.md has the details.
            """,
        operands: [
            Operand(name: "PROFILE", says: "a file that `latchkey lend new` begins", values: .file),
            Operand(name: "PROGRAM", values: .command, isOptional: true, isCommandLine: true),
        ],
        options: Options(),
        commands: [
            LendAllowCommand.declaration, LendCheckCommand.declaration, LendListCommand.declaration,
            LendEndCommand.declaration, LendNewCommand.declaration, LendToolsCommand.declaration,
        ],
        examples: [
            ("latchkey lend new site.yaml", "writes a first profile"),
            ("latchkey lend allow work/api https://api.example.com", "lets that secret go to that server"),
            ("latchkey lend site.yaml -- ./agent", "runs a program that may use it"),
            ("latchkey lend site.yaml --to /tmp/lent", "lends to a container that has this folder"),
            ("latchkey lend end", "ends everything that is lent"),
        ],
        statuses: ExitStatus.all(but: [.exists]) + ExitStatus.ofRun, group: "secrets",
        usages: ["PROFILE [OPTION…] -- PROGRAM…", "PROFILE --to FOLDER [OPTION…]", "COMMAND [OPTION…]"], run: run)

    @Sendable private static func run(_ given: Given<Options>) throws -> String {
        let profile = try LentProfile(given.words[0], orOneOf: declaration.commands.map(\.name))
        try requireUsage(given)
        let words = given.rawWords.dropFirst().map(\.text)
        // Ask what is to be asked before the program has the terminal.
        let access = try VaultAccess(given[\.vault])
        let place = try VaultAccess.place(given[\.vault])
        let guarded = [place.vault, place.socketFolder]
        let way: LendingWay =
            if let folder = given[\.folder] {
                .folder(
                    try LentFolder(
                        folder, for: given[\.user].map { try LentFolder.User($0) }, services: profile.profile.services,
                        keepingOut: guarded))
            } else if given[\.noBoundary] {
                .machine(words)
            } else {
                .sandbox(words, sharesNetwork: given[\.network])
            }
        try way.require()
        if let warning = way.warning { Output.confirm(warning) }
        try AgreedProfiles(place).require(
            profile, isAgreed: given[\.yes], isQuiet: given[\.quiet], asking: access.prompter)
        let user = try LendingUser(given[\.vault], pinentry: access.client.pinentry)
        var lenders: [Lender] = []
        var asking: [LoanAsking] = []
        for service in profile.profile.services {
            let lender = Lender(service, of: profile.profile.name, to: words, way.place, at: place, asking: user)
            do throws(AgentError) { asking.append(try lender.begin(asking: access.user)) } catch {
                throw error.inCommandWords(for: service.item, isKey: service.target.isOfKey)
            }
            lenders.append(lender)
        }
        let (addresses, token) = (try way.addresses(lenders.count), LoanToken())
        let lent = zip(lenders, asking).map { (lender: $0, asks: $1) }
        let loan = try RunningLoan(profile, at: addresses, lent, place, token, given[\.authorities]) {
            environment, logins in
            try way.make(profile, environment, logins, at: addresses, token, keepingOut: guarded)
        }
        loan.warn()
        if !given[\.quiet] { loan.describe(asking) }
        exit(try loan.finish())
    }

    /// Throws unless the options go together.
    private static func requireUsage(_ given: Given<Options>) throws(UsageError) {
        let hasProgram = given.rawWords.count > 1
        let word = Shell.word(given.words[0])
        if given[\.folder] != nil {
            if hasProgram { throw UsageError("--to starts no program: leave out what follows the profile") }
            if given[\.network] || given[\.noBoundary] {
                throw UsageError("--network and --no-boundary are for a program that is started: leave them out")
            }
        } else {
            if given[\.user] != nil { throw UsageError("--user needs --to: name the folder for the sockets") }
            if !hasProgram {
                throw UsageError(
                    "name the program that borrows: latchkey lend \(word) -- PROGRAM, or a folder for a container: --to FOLDER"
                )
            }
            if given[\.network] && given[\.noBoundary] {
                throw UsageError("a program without a sandbox has the network already: leave out --network")
            }
        }
    }
}
