internal import PlainText

/// The facts about one setting of a vault. Everything that reads, writes, checks or shows a setting follows from its row.
package struct SettingRow: Sendable {
    /// The place where a setting is stored, which has a request of its own.
    package enum Store: Sendable {
        /// The sealed settings of the vault.
        case vault
        /// The audit log.
        case log
    }

    /// The form of a setting in the sealed bytes.
    enum SealedForm: Sendable {
        /// A member like that on the wire, which is there if the value is not the usual one.
        case member
        /// A number that is always there, with null for 0.
        case numberOrNull
        /// A list of one text.
        case list
        /// An object with a PAM service and its folder, which is relative if it lies in that of the vault.
        case service
        /// A member of the object `secret-service`.
        case ofSecretService(member: String)
    }

    /// The places that name a setting also if it has the usual value.
    package enum Naming: Sendable {
        case nowhere
        /// The JSON of `latchkey config`.
        case inOutput
        /// The answers of the agent and that JSON.
        case inAnswers
    }

    package var store = Store.vault
    /// The member on the wire; nil if it has the name of the setting.
    var member: String?
    /// The heading of the option in the help of `latchkey config`; nil if another command changes the setting.
    package var heading: String?
    package let kind: SettingKind
    var sealed = SealedForm.member
    /// The value of a vault in which no other one is stored.
    package let usual: SettingValue
    /// The value in a new vault; nil for the usual one.
    package var initial: SettingValue?
    /// The choice of the owner in a new vault, in words; nil if there is none.
    var chosen: String?
    package var naming = Naming.nowhere
    /// Returns the value that holds in place of this one until a passcode has shown what the owner chose. It is at least as strict
    /// as this one and as the usual one.
    let strict: @Sendable (SettingValue) -> SettingValue
    /// True if a change counts at once, and false if it does from the next start of the agent on.
    package var countsAtOnce = true
    /// Returns the words for a value in the table of `latchkey config`; nil if that is the word of the command line.
    var shown: (@Sendable (SettingValue) -> String)?
    /// The phrase on the option, in Markdown, with links as they are in docs/command-line.md.
    package var says = ""

    /// The phrase on the option, for the help.
    package var help: String {
        says.replacing("`", with: "").replacing(/\[([^\]]+)\]\([^)]+\)/) { "\($0.output.1)" }
    }

    /// Returns the words for a value in the table of `latchkey config`.
    package func words(for value: SettingValue) -> String { shown?(value) ?? kind.word(for: value) }

    /// The table of docs/command-line.md.
    package static var table: String {
        let named = SettingName.allCases.filter { $0.row.heading != nil }
        let rows = named.map { name in
            let row = name.row
            return [
                "`--\(name.rawValue)`", row.says, row.chosen ?? "`\(row.kind.word(for: row.initial ?? row.usual))`",
            ]
        }
        let head = [["setting", "meaning", "in a new vault"], ["---", "---", "---"]]
        return (head + rows).map(Quoting.markdownRow).joined()
    }
}
