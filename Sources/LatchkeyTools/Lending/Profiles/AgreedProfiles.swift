internal import AgentProtocol
internal import LatchkeyCLI
internal import LinuxSystem
internal import LoanRules
internal import PlainText

/// The profiles that the owner of a vault has agreed to, in a file of the vault. A profile comes with a project, and a program in
/// its sandbox may have changed it since.
struct AgreedProfiles {
    private let path: String
    private static let longest = 1 << 20
    private static let most = 256
    /// The number of lines that a screen shows at once.
    private static let mostAtAGlance = 20

    init(_ place: AgentPlace) { path = place.vault + "/lent-profiles" }

    /// Shows a profile that is new or has changed, and asks. Throws unless its owner agrees.
    /// With `isAgreed`, it only shows the profile, unless it is `quiet`.
    func require(_ profile: LentProfile, isAgreed: Bool, isQuiet: Bool, asking prompter: Prompter) throws {
        let former = read()
        let lines = profile.lines
        let known = former[profile.path]
        if known == lines { return }
        let change = known == nil ? "is new here" : "has changed since you agreed to it"
        let (present, past) = (Self.inSections(lines), Self.inSections(known ?? []))
        let shown = zip(lines, present).map { line, place in
            "  " + (known != nil && !past.contains(place) ? "+ " : "  ") + Terminal.line(line)
        }
        let gone = zip(known ?? [], past).filter { !present.contains($1) }.map { "  - " + Terminal.line($0.0) }
        let news = ["\(Terminal.line(profile.path)) \(change):"] + shown + gone
        if isAgreed {
            if !isQuiet { for line in news { Output.confirm(line) } }
        } else {
            // The first lines of a long list have left the screen.
            let heads = zip(lines, shown).filter { !$0.0.hasPrefix("    ") }.map { $0.1 }
            let short = shown.count > Self.mostAtAGlance ? ["In short:"] + heads : []
            let question = (news + short + ["Lend this?"]).joined(separator: "\n")
            guard try prompter.confirms(question, else: "see `latchkey lend check`, and add --yes") else {
                throw AgentError(.dismissed, "nothing was lent")
            }
        }
        try save(former, with: lines, for: profile.path)
    }

    /// Returns each line with the service that it belongs to. One service may have a rule that is new for another.
    private static func inSections(_ lines: [String]) -> [[String]] {
        var section = ""
        return lines.map { line in
            if !line.hasPrefix("    ") { section = String(line.prefix { $0 != ":" }) }
            return [section, line]
        }
    }

    private func read() -> [String: [String]] {
        guard let bytes = SystemFile.regularBytes(path, atMost: Self.longest), let json = try? JSON(bytes),
            case .object(let members) = json
        else { return [:] }
        return members.compactMapValues { value in
            guard case .array(let values) = value else { return nil }
            return values.map { if case .string(let text) = $0 { text } else { "" } }
        }
    }

    private func save(_ former: [String: [String]], with lines: [String], for profile: String) throws {
        var all = former
        all[profile] = lines
        if all.count > Self.most, let other = all.keys.first(where: { $0 != profile }) { all[other] = nil }
        let text = WireObject(all.mapValues { .array($0.map { .string($0) }) }).text
        do throws(SystemError) { try OutputFile.replacePrivate(path, with: text + "\n") } catch {
            throw AgentError.system(path, error.code)
        }
    }
}
