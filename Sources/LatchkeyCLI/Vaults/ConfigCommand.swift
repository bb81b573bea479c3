package import AgentProtocol
package import CommandLineKit
internal import Glibc
internal import PlainText

/// `latchkey config`
enum ConfigCommand {
    struct Options: OptionList {
        let vault = VaultAccess.option
        let settings = SettingName.allCases.compactMap { SettingOption($0) }
        let yes = Option("--yes", says: "delete what a shorter --history no longer keeps, without asking")
        let json = Option("--json", says: "print JSON")
    }

    static let declaration = Declaration(
        name: "config", summary: "show or change the settings of the vault",
        text: """
            Changes what the options name, and shows all settings. They are sealed in the vault. A change asks for the
            passcode, and is recorded in the log.

            A new PAM service or sensor is used from the next start of the agent on. When the log is full, its oldest records
            make room: denied requests first, then events, granted requests last. One record says how much is gone.
            """,
        options: Options(),
        examples: [
            ("latchkey config", "shows all settings"),
            ("latchkey config --reuse 1h", "prompts once an hour in each session, at most"),
            ("latchkey config --default-policy every-time", "new secrets prompt each time"),
        ],
        statuses: ExitStatus.all(but: [.notFound, .exists]), group: "the vault", run: run)

    @Sendable private static func run(_ given: Given<Options>) throws -> String {
        let chosen = given[\.settings].compactMap { $0[\.option] }
        let values = Dictionary(chosen.map { ($0.name, $0.value) }) { $1 }
        let (changes, logChanges) = (SettingChanges(.vault, values), SettingChanges(.log, values))
        // Prompts in a window alone must not keep a person without windows from changing that.
        let access = try VaultAccess(
            given[\.vault], prompt: changes[.prompt] == nil ? nil : VaultSettings.eitherPlace)
        if let history = changes[.history]?.number, !given[\.yes] { try confirm(history, access) }
        let reason = "change the settings of the vault"
        let reply = try access.ask(SettingsCall(changes), because: reason).reply
        let log = try access.ask(LogSettingsCall(logChanges), because: reason).reply.settings
        let settings = VaultSettings(answer: reply.settings)
        if reply.isUnchecked && !given[\.json] {
            Output.complain("The settings are not checked until the next unlock. These strict ones hold meanwhile.")
        }
        if reply.mustRestart {
            Output.confirm("Saved. The agent uses it from its next start on: run `latchkey agent stop`.")
        } else if !chosen.isEmpty {
            Output.confirm("Saved.")
        }
        if given[\.json] {
            var json = WireObject(settings.named(inOutput: true).head.fields.merging(log.head.fields) { $1 })
            if reply.isUnchecked { json["unchecked"] = .bool(true) }
            return json.text + "\n"
        }
        let isFake = (try? access.status())?.isSensorFake == true
        return table(of: settings, log, isSensorFake: isFake)
    }

    /// Asks before a shorter time deletes what could still be brought back.
    private static func confirm(_ history: Int, _ access: VaultAccess) throws {
        let present = try access.settings().history
        if history >= present { return }
        var lines: [String] = []
        let (deleted, locked) = try access.deleted(because: "change the settings of the vault")
        let first = Int64(time(nil)) - Int64(history)
        let old = deleted.filter { history == 0 || $0.deleted <= first }
        let count = old.count + locked
        if count > 0 {
            let names = old.prefix(5).map { Terminal.line($0.entry.name, longest: 80) }
            let all = names + (count > names.count ? ["\(count - names.count) more"] : [])
            lines.append("This deletes \(counted(count, "deleted secret")) for good: \(enumerated(all, "and")).")
        }
        // Versions are sealed with their secrets, so that nothing can count them without opening each.
        let versions = history == 0 ? "Former versions" : "Former versions older than \(counted(seconds: history))"
        lines.append("\(versions) can no longer be read, and go for good when their secret is changed next.")
        let question = (lines + ["Change the setting?"]).joined(separator: "\n")
        if try !access.prompter.confirms(question, else: "add --yes") {
            throw AgentError(.dismissed, "nothing was changed")
        }
    }

    private static func table(of settings: VaultSettings, _ log: SettingChanges, isSensorFake: Bool) -> String {
        var table = TextTable()
        for name in SettingName.allCases where name.row.heading != nil {
            let value = log[name] ?? settings[name]
            let isFake = name == .sensor && isSensorFake && value.text.isEmpty
            let words = isFake ? "the vault's fake one" : name.row.words(for: value)
            table.rows.append([.init(name.rawValue, .faint), .init(Terminal.line(words))])
        }
        return table.text(colored: Output.isColored)
    }
}

/// The option of `latchkey config` that changes one setting.
struct SettingOption: OptionList {
    /// A setting with the value that was typed for it.
    struct Choice: Sendable {
        let name: SettingName
        let value: SettingValue
    }

    let heading: String
    let option: Option<Choice?>

    /// Creates the option; nil for a setting that another command changes.
    init?(_ name: SettingName) {
        guard let heading = name.row.heading else { return nil }
        self.heading = heading
        let offered = name.row.kind.offered
        let values: Values =
            if case .sensor = name.row.kind { .file } else { offered.isEmpty ? .anything : .words(offered) }
        option = Option(
            "--\(name.rawValue)", value: name.row.kind.placeholder, says: name.row.help, values: values
        ) { (word) throws(UsageError) in Choice(name: name, value: try name.value(of: word)) }
    }
}

extension SettingName {
    /// Returns the value that a word states for the option of this setting.
    package func value(of word: String) throws(UsageError) -> SettingValue {
        do throws(AgentError) { return try row.kind.value(of: word, for: "--\(rawValue)") } catch {
            throw UsageError(error.message)
        }
    }
}
