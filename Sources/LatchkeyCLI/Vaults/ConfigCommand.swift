internal import AgentProtocol
internal import CommandLineKit
internal import Glibc
internal import LatchkeyAgent
internal import PlainText

/// `latchkey config`
enum ConfigCommand {
    struct Options: OptionList {
        let vault = VaultAccess.option
        let prompting = Prompting()
        let authenticators = Authenticators()
        let copying = Copying()
        let log = Log()
        let yes = Option("--yes", says: "delete what a shorter --history no longer keeps, without asking")
        let json = Option("--json", says: "print JSON")
    }

    struct Prompting: OptionList {
        let heading = "prompting"
        let reuse = Option(
            "--reuse", value: "TIME",
            says:
                "how long an authentication counts in its session since it was last used, such as 10m; 0 to prompt each "
                + "time; at most 12h", values: .words(["0", "10m", "1h"])
        ) { (text) throws(UsageError) in try Duration.seconds(text, for: "--reuse", atMost: VaultSettings.longestReuse)
        }
        let lockAfter = Option(
            "--lock-after", value: "TIME",
            says: "the time without a request after which the vault locks itself, such as 10m; never for not at all",
            values: .words(["10m", "1h", "never"])
        ) { (text) throws(UsageError) in
            if text == "never" { return 0 }
            let seconds = try Duration.seconds(text, for: "--lock-after", atMost: VaultSettings.longestLock)
            if seconds == 0 { throw UsageError("--lock-after needs a time, or never") }
            return seconds
        }
        let policy = Option(
            "--default-policy", value: "PRESET", kind: "preset",
            says: "the access policy of new secrets that name none: \(presets.joined(separator: ", "))",
            among: PolicyPreset.all.map { ($0.name, $0.policy) })

        let history = Option(
            "--history", value: "TIME",
            says: "how long former versions of secrets, and deleted ones, are kept, such as 30d; 0 to keep none",
            values: .words(["0", "7d", "30d", "365d"])
        ) { (text) throws(UsageError) in
            try Duration.seconds(text, for: "--history", atMost: VaultSettings.longestHistory)
        }
        let pinentry = Option(
            "--pinentry", value: "NAME",
            says: "the program that shows prompts outside of a terminal: gnome3, qt, gtk, curses or tty; auto for any "
                + "that can; none for no such prompts",
            among: VaultSettings.pinentries.map { ($0, $0) })

        let prompt = Option(
            "--prompt", value: "PLACE",
            says:
                "auto: prompt at the terminal, or in a window while another program reads the terminal; window: never at "
                + "the terminal; terminal: there in any case",
            among: VaultSettings.promptPlaces.map { ($0, $0) })

        let lockAtLogout = Option(
            "--lock-at-logout", value: "WORD",
            says:
                "yes: the end of your last login session locks the vault, if pam_latchkey is installed; no: it does not",
            among: [("yes", true), ("no", false)])

        let notify = Option(
            "--notify", value: "WORD",
            says: "yes: the desktop shows a notification when an SSH key signs without a prompt; no: it does not",
            among: [("yes", true), ("no", false)])

        private static let presets = PolicyPreset.all.map(\.name)
    }

    struct Authenticators: OptionList {
        let heading = "authentication"
        let service = Option(
            "--pam-service", value: "SERVICE",
            says:
                "the PAM service that checks the passcode, by its name in /etc/pam.d or by its path; none for the keys "
                + "alone",
            values: .words(["none", "latchkey"])
        ) { (text) throws(UsageError) in text == "none" ? "" : text }
        let sensor = Option(
            "--sensor", value: "COMMAND",
            says:
                "fprintd for the fingerprint reader of this machine, or the command of another sensor, if the vault was "
                + "created with one", values: .file, read: SensorSetting.read)
    }

    struct Copying: OptionList {
        let heading = "clipboard"
        let time = Option(
            "--clipboard-time", value: "TIME",
            says: "the time after which the clipboard is cleared of a secret, such as 45s; never for not at all",
            values: .words(["20s", "45s", "never"])
        ) { (text) throws(UsageError) in
            if text == "never" { return 0 }
            let seconds = try Duration.seconds(
                text, for: "--clipboard-time", atMost: VaultSettings.longestClipboardTime)
            if seconds == 0 { throw UsageError("--clipboard-time needs a time, or never") }
            return seconds
        }
    }

    struct Log: OptionList {
        let heading = "audit log"
        let size = Option(
            "--log-size", value: "SIZE", says: "the maximum size of the audit log, such as 64M or 1G; at least 1M",
            read: LogSize.bytes)
        let durable = Option(
            "--durable-log", value: "WORD",
            says: "yes: write each record to disk before the agent answers; no: within a second",
            among: [("yes", true), ("no", false)])
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
        var changes = Request.SettingChanges()
        changes.reuse = given[\.prompting.reuse]
        changes.locksAfter = given[\.prompting.lockAfter]
        changes.policy = given[\.prompting.policy]
        changes.history = given[\.prompting.history]
        changes.pinentry = given[\.prompting.pinentry]
        changes.prompt = given[\.prompting.prompt]
        changes.locksAtLogout = given[\.prompting.lockAtLogout]
        changes.notifies = given[\.prompting.notify]
        changes.service = given[\.authenticators.service]
        changes.sensor = given[\.authenticators.sensor]
        changes.clipboardTime = given[\.copying.time]
        let log = Request.LogChanges(size: given[\.log.size], isDurable: given[\.log.durable])
        // Prompts in a window alone must not keep a person without windows from changing that.
        let access = try VaultAccess(
            given[\.vault], prompt: changes.prompt == nil ? nil : VaultSettings.eitherPlace)
        if let history = changes.history, !given[\.yes] { try confirm(history, access) }
        let reason = "change the settings of the vault"
        var head = try access.ask(.settings(changes), because: reason).head
        let logHead = try access.ask(.logSettings(log), because: reason).head
        // The answer leaves out the usual time.
        if head["clipboard-time"] == nil {
            head["clipboard-time"] = .number("\(VaultSettings.usualClipboardTime)")
        }
        let mustRestart = try head.consumeFlag("restart")
        let isUnchecked = try head.consumeFlag("unchecked")
        if isUnchecked && !given[\.json] {
            Output.complain("The settings are not checked until the next unlock. These strict ones hold meanwhile.")
        }
        if mustRestart {
            Output.confirm("Saved. The agent uses it from its next start on: run `latchkey agent stop`.")
        } else if changes != Request.SettingChanges() || log != Request.LogChanges() {
            Output.confirm("Saved.")
        }
        if given[\.json] {
            if isUnchecked { head["unchecked"] = .bool(true) }
            return Head(head.fields.merging(logHead.fields) { $1 }).text + "\n"
        }
        let isFake = (try? access.status())?.isSensorFake == true
        return try table(of: head, logHead, sensor: isFake ? "the vault's fake one" : "none")
    }

    private static func words(prompt place: String?) -> String {
        switch place {
        case VaultSettings.inWindow: "window: never at the terminal"
        case VaultSettings.onTerminal: "terminal: also while another program reads it"
        default: "auto: at the terminal, unless another program reads it"
        }
    }

    /// Asks before a shorter time deletes what could still be brought back.
    private static func confirm(_ history: Int, _ access: VaultAccess) throws {
        let present = try access.settings().history ?? 0
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
        let versions = history == 0 ? "Former versions" : "Former versions older than \(Duration.text(history))"
        lines.append("\(versions) can no longer be read, and go for good when their secret is changed next.")
        let question = (lines + ["Change the setting?"]).joined(separator: "\n")
        if try !access.prompter.confirms(question, else: "add --yes") {
            throw AgentError(.dismissed, "nothing was changed")
        }
    }

    private static func table(of head: Head, _ logHead: Head, sensor usual: String) throws -> String {
        var (head, logHead) = (head, logHead)
        let (settings, log) = (try Request.SettingChanges(from: &head), try Request.LogChanges(from: &logHead))
        var rows: [(String, String)] = []
        let reuse = settings.reuse ?? 0
        rows.append(("reuse", reuse > 0 ? "\(Duration.text(reuse)) since the last use" : "none: each use prompts"))
        let lock = settings.locksAfter ?? 0
        rows.append(("lock-after", lock > 0 ? "\(Duration.text(lock)) without a request" : "never"))
        rows.append(("default-policy", settings.policy.map { $0.title } ?? ""))
        let history = settings.history ?? 0
        rows.append(
            (
                "history",
                history > 0 ? "former versions and deleted secrets stay for \(Duration.text(history))" : "none is kept"
            ))
        let pinentry = settings.pinentry ?? VaultSettings.anyPinentry
        rows.append(
            ("pinentry", pinentry == VaultSettings.noPinentry ? "none: no prompts outside of a terminal" : pinentry))
        rows.append(("prompt", Self.words(prompt: settings.prompt)))
        rows.append(("lock-at-logout", settings.locksAtLogout == true ? "yes" : "no"))
        rows.append(("notify", settings.notifies == false ? "no" : "yes: when an SSH key signs without a prompt"))
        let service = settings.service ?? ""
        rows.append(("pam-service", service.isEmpty ? "none: the keys check the passcode" : service))
        let sensor = settings.sensor ?? ""
        rows.append(("sensor", sensor.isEmpty ? usual : sensor))
        let time = settings.clipboardTime ?? VaultSettings.usualClipboardTime
        rows.append(("clipboard-time", time > 0 ? Duration.text(time) : "never: the clipboard is not cleared"))
        rows.append(("log-size", log.size.map(LogSize.words) ?? "unknown"))
        rows.append(("durable-log", log.isDurable == true ? "yes" : "no"))
        var table = TextTable()
        table.rows = rows.map { [.init($0.0, .faint), .init(Terminal.line($0.1))] }
        return table.text(colored: Output.isColored)
    }
}

/// The sensor of a vault, as it is written on a command line.
enum SensorSetting {
    @Sendable static func read(_ command: String) throws(UsageError) -> String {
        if command != VaultSettings.fprintd && command.utf8.first != UInt8(ascii: "/") {
            throw UsageError("--sensor needs \(VaultSettings.fprintd) or an absolute path")
        }
        return command
    }
}

/// A time in seconds, as it is written on a command line.
enum Duration {
    private static let units: [(letter: Character, seconds: Int)] = [("d", 86_400), ("h", 3600), ("m", 60), ("s", 1)]

    /// Returns the seconds that `text` states, such as 90s, 10m or 1h; only 0 needs no unit. Throws if it is no time, or a
    /// longer one.
    static func seconds(_ text: String, for option: String, atMost most: Int) throws(UsageError) -> Int {
        let unit = units.first { text.last == $0.letter }
        let digits = unit == nil ? text[...] : text.dropLast()
        if unit == nil, let number = Int(text), 1...most ~= number {
            // Seconds that were meant as days would delete what nothing brings back.
            let forms = units.filter { $0.seconds <= most / number }.map { "\(number)\($0.letter)" }
            throw UsageError("\(option) \(number) needs a unit: write \(enumerated(forms))")
        }
        guard let number = Int(digits), number >= 0,
            case let (seconds, isTooLarge) = number.multipliedReportingOverflow(by: unit?.seconds ?? 1), !isTooLarge,
            seconds <= most
        else { throw UsageError("\(option) needs a time such as 90s, 10m or 1h, at most \(Self.text(most))") }
        return seconds
    }

    /// Returns a number of seconds in its largest whole unit, rounded up.
    static func rough(_ seconds: Int) -> String {
        let unit = units.first { seconds >= $0.seconds }?.seconds ?? 1
        return text((seconds + unit - 1) / unit * unit)
    }

    /// Returns a number of seconds as people read it.
    static func text(_ seconds: Int) -> String { counted(seconds: seconds) }
}
