internal import AgentProtocol
internal import Courier
internal import LatchkeyCLI
internal import LinuxSystem
internal import LoanRules
internal import PlainText
internal import Sandbox

/// The way in which a profile is lent.
enum LendingWay: Sendable {
    /// To a program in a sandbox, perhaps with the network of this machine.
    case sandbox([String], sharesNetwork: Bool)
    /// To a program without a sandbox.
    case machine([String])
    /// To whatever connects to the sockets of a folder.
    case folder(LentFolder)

    /// The words of the program; none if no program is started.
    var command: [String] {
        switch self {
        case .sandbox(let words, _), .machine(let words): words
        case .folder: []
        }
    }

    /// The place of the borrower, as prompts and the log have it; nil in a sandbox of its own.
    var place: String? {
        switch self {
        case .sandbox(_, false): nil
        case .sandbox(_, true): "with the network of this machine"
        case .machine: "without a sandbox"
        case .folder(let folder):
            "by \(folder.path)" + (folder.user.map { " to user \($0.name) (uid \($0.number))" } ?? "")
        }
    }

    /// The sentence that its user has to read; nil if there is none.
    var warning: String? {
        switch self {
        case .sandbox(_, false), .folder: nil
        case .sandbox(_, true):
            "With --network, loans do not limit what the program sends elsewhere. It also reaches the ports of 127.0.0.1 and the abstract sockets of this machine."
        case .machine:
            "This program runs as you, without a sandbox: every program of yours can do what it can. Lending to it saves prompts and protects nothing."
        }
    }

    /// Throws unless this machine has what is needed.
    func require() throws {
        guard case .sandbox = self else { return }
        do throws(SandboxError) { try Sandbox.requireBubblewrap() } catch {
            throw AgentError(
                .unavailable,
                "\(error) Or lend to a container with --to FOLDER. Or add --no-boundary: then the program runs as you, and lending protects nothing."
            )
        }
    }

    /// Returns the addresses of so many services.
    func addresses(_ count: Int) throws -> LoanAddresses {
        switch self {
        case .sandbox(_, false): return .inside
        case .folder(let folder): return .folder(folder.path)
        case .sandbox(_, true), .machine:
            do throws(SandboxError) { return try .ofMachine(count) } catch {
                throw AgentError(.unavailable, "\(error)")
            }
        }
    }

    /// Makes the place, where the program has these variables.
    func make(
        _ profile: LentProfile, _ environment: [(name: String, value: String)], _ logins: LentLogins,
        at addresses: LoanAddresses, _ token: LoanToken, keepingOut guarded: [String]
    ) throws -> any LoanPlace {
        switch self {
        case .sandbox(let words, let sharesNetwork):
            var plan = SandboxPlan(command: words, work: profile.work)
            (plan.reads, plan.guarded, plan.environment) = (profile.reads, guarded, environment)
            plan.sharesNetwork = sharesNetwork
            logins.complete(&plan)
            return try SandboxPlace(plan, at: addresses, agreedTo: profile.places, token: token)
        case .machine(let words): return MachinePlace(words, environment, at: addresses, token: token)
        case .folder(let folder): return try FolderPlace(folder, environment, of: profile.profile.services)
        }
    }
}

extension LentFolder.User {
    /// Finds a user other than this process's, by a name or a number.
    init(_ word: String) throws {
        guard let number = UserName.number(word) else {
            throw AgentError(.request, "there is no user \(Terminal.word(word)) on this machine")
        }
        guard number != PathTrust.thisUser else {
            throw AgentError(
                .request,
                "\(Terminal.word(word)) is you: leave --user out, and programs of yours in a container can connect")
        }
        self.init(name: word, number: number)
    }
}
