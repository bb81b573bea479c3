internal import AccessPolicy
internal import PlainText

/// The settings of a vault, by the words that their options have. The order is that of the help and of the table.
package enum SettingName: String, CaseIterable, Sendable {
    case reuse = "reuse"
    case lockAfter = "lock-after"
    case defaultPolicy = "default-policy"
    case history = "history"
    case pinentry = "pinentry"
    case prompt = "prompt"
    case lockAtLogout = "lock-at-logout"
    case notify = "notify"
    case pamService = "pam-service"
    case sensor = "sensor"
    case clipboardTime = "clipboard-time"
    case secretService = "secret-service"
    case secretRules = "secret-service-rules"
    case logSize = "log-size"
    case durableLog = "durable-log"

    /// The row of the setting in the table.
    package var row: SettingRow { Self.rows[self] ?? facts }

    /// The member on the wire.
    package var member: String { row.member ?? rawValue }

    private static let rows = Dictionary(uniqueKeysWithValues: allCases.map { ($0, $0.facts) })
    private static let namesByStore = Dictionary(grouping: allCases) { $0.row.store }

    /// Returns the settings in this store.
    package static func all(in store: SettingRow.Store) -> [SettingName] { namesByStore[store] ?? [] }
}

extension SettingName {
    private static let month = 30 * 86_400

    /// The table. A name without a row does not compile.
    private var facts: SettingRow {
        switch self {
        case .reuse:
            SettingRow(
                heading: "prompting", kind: .time(atMost: 12 * 3600, offered: ["0", "10m", "1h"]), usual: 0,
                initial: 600,
                naming: .inAnswers, strict: { _ in 0 },
                shown: { $0 == 0 ? "none: each use prompts" : "\(counted(seconds: $0.number)) since the last use" },
                says: """
                    how long an authentication counts in its session since it was last used, such as `10m`; `0` to prompt each \
                    time; at most `12h`
                    """)
        case .lockAfter:
            SettingRow(
                heading: "prompting",
                kind: .time(atMost: VaultSettings.longestLock, canBeNever: true, offered: ["10m", "1h", "never"]),
                sealed: .numberOrNull, usual: 600, naming: .inAnswers,
                strict: { $0 == 0 ? 600 : .number(min($0.number, 600)) },
                shown: { $0 == 0 ? "never" : "\(counted(seconds: $0.number)) without a request" },
                says: """
                    the time without a request after which the vault locks itself, such as `10m`; `never` for not at all
                    """)
        case .defaultPolicy:
            SettingRow(
                member: "policy", heading: "prompting", kind: .policy, usual: .policy(.usual), chosen: "what you chose",
                naming: .inAnswers,
                // A passcode each time, whatever the vault's sensor says.
                strict: { _ in .policy(ItemPolicy(.whenUnlockedThisDeviceOnly, .devicePasscode)) },
                says: """
                    the access policy of new secrets that name none: \
                    \(PolicyPreset.all.map { "`\($0.name)`" }.joined(separator: ", "))
                    """)
        case .history:
            SettingRow(
                heading: "prompting",
                kind: .time(atMost: VaultSettings.longestLock, offered: ["0", "7d", "30d", "365d"]), usual: 0,
                initial: .number(Self.month),
                // Nothing is deleted that the owner may want back.
                strict: { .number(max($0.number, Self.month)) },
                shown: {
                    $0 == 0
                        ? "none is kept"
                        : "former versions and deleted secrets stay for \(counted(seconds: $0.number))"
                },
                says: """
                    how long former versions of secrets, and deleted ones, are kept, such as `30d`; `0` to keep none
                    """)
        case .pinentry:
            SettingRow(
                heading: "prompting", kind: .choice(placeholder: "NAME", of: VaultSettings.pinentries),
                usual: .text(VaultSettings.anyPinentry),
                // All of these are programs of the system, and "none" only takes prompts away.
                strict: { $0 },
                shown: {
                    $0.text == VaultSettings.noPinentry ? "none: no prompts outside of a terminal" : $0.text
                },
                says: """
                    the program that shows [prompts outside of a terminal](#prompts-without-a-terminal): `gnome3`, `qt`, `gtk`, \
                    `curses` or `tty`; `auto` for any that can; `none` for no such prompts
                    """)
        case .prompt:
            SettingRow(
                heading: "prompting", kind: .choice(placeholder: "PLACE", of: VaultSettings.promptPlaces),
                usual: .text(VaultSettings.eitherPlace),
                // No passcode is typed at a terminal that another program reads.
                strict: { $0.text == VaultSettings.onTerminal ? .text(VaultSettings.eitherPlace) : $0 },
                shown: {
                    switch $0.text {
                    case VaultSettings.inWindow: "window: never at the terminal"
                    case VaultSettings.onTerminal: "terminal: also while another program reads it"
                    default: "auto: at the terminal, unless another program reads it"
                    }
                },
                says: """
                    `auto`: prompt at the terminal, or in a window while \
                    [another program reads the terminal](#a-terminal-that-another-program-reads); `window`: never at the \
                    terminal; `terminal`: there in any case
                    """)
        case .lockAtLogout:
            SettingRow(
                heading: "prompting", kind: .flag, usual: false, strict: { _ in true },
                says: """
                    `yes`: the end of your last login session locks the vault, if [pam_latchkey](login.md) is installed; `no`: \
                    it does not
                    """)
        case .notify:
            SettingRow(
                heading: "prompting", kind: .flag, usual: true, strict: { _ in true },
                shown: { $0.flag ? "yes: when an SSH key signs without a prompt" : "no" },
                says: """
                    `yes`: the desktop shows a notification when [an SSH key](ssh.md) signs without a prompt; `no`: it does not
                    """)
        case .pamService:
            SettingRow(
                heading: "authentication", kind: .service, sealed: .service, usual: "", chosen: "what `init` found",
                naming: .inAnswers,
                // Only root can change a service in this folder. Another service runs code of its modules in the agent.
                strict: { VaultSettings.PAM(path: $0.text)?.folder == VaultSettings.systemPAM ? $0 : "" },
                countsAtOnce: false, shown: { $0.textIfAny ?? "none: the keys check the passcode" },
                says: """
                    the PAM service that checks the passcode, by its name in `/etc/pam.d` or [by its path](pam.md); `none` for \
                    the keys alone
                    """)
        case .sensor:
            SettingRow(
                heading: "authentication", kind: .sensor, sealed: .list, usual: "", chosen: "that of `init --sensor`",
                naming: .inAnswers,
                // A command runs with the rights of the user.
                strict: { _ in "" }, countsAtOnce: false,
                says: """
                    `fprintd` for the fingerprint reader of this machine, or the command of [another sensor](sensors.md), if the \
                    vault was created with one
                    """)
        case .clipboardTime:
            SettingRow(
                heading: "clipboard", kind: .time(atMost: 3600, canBeNever: true, offered: ["20s", "45s", "never"]),
                usual: 45, naming: .inOutput, strict: { $0 == 0 ? 45 : .number(min($0.number, 45)) },
                shown: { $0 == 0 ? "never: the clipboard is not cleared" : counted(seconds: $0.number) },
                says: "the time after which the clipboard is cleared of a secret, such as `45s`; `never` for not at all"
            )
        case .secretService:
            SettingRow(
                kind: .flag, sealed: .ofSecretService(member: "enabled"), usual: false,
                // The service shows nothing that the files do not show too.
                strict: { $0 })
        case .secretRules:
            SettingRow(
                kind: .rules, sealed: .ofSecretService(member: "rules"), usual: "",
                // Without rules, each program is asked about.
                strict: { _ in "" })
        case .logSize:
            SettingRow(
                store: .log, heading: "audit log", kind: .size, usual: .number(32 << 20), strict: { $0 },
                shown: { TypedSize.words($0.number) },
                says: "the maximum size of [the audit log](#the-audit-log), such as `64M` or `1G`; at least `1M`")
        case .durableLog:
            SettingRow(
                store: .log, heading: "audit log", kind: .flag, usual: false,
                // The vault itself keeps to the stricter value of those that it finds and those that it has checked.
                strict: { $0 },
                says: "`yes`: write each record to disk before the agent answers; `no`: within a second")
        }
    }
}
