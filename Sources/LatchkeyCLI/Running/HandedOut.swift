internal import AgentProtocol
internal import CommandLineKit
internal import LinuxSystem
internal import PlainText
internal import Prompts
internal import SecretTools
internal import Synchronization

/// The secrets that a program is about to get, in words for the user.
struct HandedOut {
    /// The longest reason that a prompt shows in full.
    private static let longestReason = 300
    private static let elsewhere = "that are listed above"

    private let secrets: [SecretName]
    private let program: String

    init(_ secrets: [SecretName], to words: [RawText]) {
        self.secrets = secrets
        program = Terminal.word(words.first?.text ?? "")
    }

    /// The reason that prompts show. It names the program and each secret, or says that ``announced(to:)`` lists them.
    var reason: String {
        let names = list(secrets.map { Terminal.line($0.text) })
        let whole = "run \(program) with \(names)"
        return whole.unicodeScalars.count <= Self.longestReason
            ? whole : "run \(program) with the \(secrets.count) secrets \(Self.elsewhere)"
    }

    /// Returns a user who sees the list of all secrets before the first prompt, if that cannot name them all.
    func announced(to user: any AnnouncingUser) -> any DeviceUser {
        guard reason.hasSuffix(Self.elsewhere) else { return user }
        return AnnouncedUser(
            user, ["\(program) gets these secrets:"] + secrets.map { "  \(Terminal.line($0.text))" })
    }

    /// Asks whether the program may get the secrets that files and the environment name. Throws unless the answer is yes.
    func confirm(_ found: [PlannedEnvironment.FoundReference], at prompter: Prompter) throws {
        if found.isEmpty { return }
        guard prompter.user != nil else {
            let places = Self.places(of: found)
            throw AgentError(
                .noTerminal,
                "\(list(places)) \(places.count == 1 ? "names" : "name") secrets, and there is nowhere to ask you: add "
                    + "--yes to hand them to \(program), or name them with --env")
        }
        var question = ""
        for place in Self.places(of: found) {
            question += "\(place) names these secrets for \(program):\n"
            for one in found where Self.place(of: one) == place {
                question += "  \(one.variable) = \(Terminal.line(one.name.text))\n"
            }
        }
        guard try prompter.confirms(question + "Hand them over?", else: "add --yes") else {
            throw AgentError(.dismissed, "\(program) was not started, and no secret was read")
        }
    }

    /// Returns the places that name secrets, each once.
    private static func places(of found: [PlannedEnvironment.FoundReference]) -> [String] {
        var seen: Set<String> = []
        return found.map { place(of: $0) }.filter { seen.insert($0).inserted }
    }

    private static func place(of one: PlannedEnvironment.FoundReference) -> String {
        one.file.map { Terminal.line($0.text) } ?? "the environment"
    }

    private func list(_ words: [String]) -> String {
        words.count < 2 ? words.joined() : words.dropLast().joined(separator: ", ") + " and " + words[words.count - 1]
    }
}

/// A user who is shown lines before the first prompt.
private final class AnnouncedUser: DeviceUser {
    private let user: any AnnouncingUser
    private let lines: [String]
    private let isAnnounced = Atomic(false)

    init(_ user: any AnnouncingUser, _ lines: [String]) {
        self.user = user
        self.lines = lines
    }

    func answer(_ prompt: Prompt) -> Response {
        if !isAnnounced.exchange(true, ordering: .relaxed), !user.announce(lines) { return .cancel }
        return user.answer(prompt)
    }

    func standBy(_ prompt: Prompt) { user.standBy(prompt) }
}
