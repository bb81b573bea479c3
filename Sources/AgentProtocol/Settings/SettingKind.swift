internal import PlainText

/// A kind of setting: the values that it can have, and the words for them on a command line.
package enum SettingKind: Sendable {
    /// A number of seconds. If it can be `never`, that is 0. Completion offers some words.
    case time(atMost: Int, canBeNever: Bool = false, offered: [String])
    /// The size of an audit log. The vault itself checks it.
    case size
    /// One of some words.
    case choice(placeholder: String, of: [String])
    /// Yes or no.
    case flag
    /// An access policy, which a command line names by a preset.
    case policy
    /// The path of a PAM service; empty for none.
    case service
    /// The command of a sensor, or ``VaultSettings/fprintd``; empty for none.
    case sensor
    /// The text of the rules of the Secret Service.
    case rules

    /// The placeholder of the value in the help.
    package var placeholder: String {
        switch self {
        case .time: "TIME"
        case .size: "SIZE"
        case .choice(let placeholder, _): placeholder
        case .flag: "WORD"
        case .policy: "PRESET"
        case .service: "SERVICE"
        case .sensor: "COMMAND"
        case .rules: "RULES"
        }
    }

    /// The words that completion offers.
    package var offered: [String] {
        switch self {
        case .time(_, _, let offered), .choice(_, let offered): offered
        case .flag: ["yes", "no"]
        case .policy: PolicyPreset.all.map(\.name)
        case .service: ["none", "latchkey"]
        case .size, .sensor, .rules: []
        }
    }

    /// Returns the value of a word that was typed for an option. Throws if the word means none.
    package func value(of word: String, for option: String) throws(AgentError) -> SettingValue {
        func known(_ words: [String], _ kind: String) throws(AgentError) {
            if !words.contains(word) { throw AgentError(.request, unknownWord(kind, word, among: words)) }
        }
        switch self {
        case .time(let most, let canBeNever, _):
            if canBeNever && word == "never" { return 0 }
            let seconds = try TypedTime.seconds(word, for: option, atMost: most)
            if canBeNever && seconds == 0 { throw AgentError(.request, "\(option) needs a time, or never") }
            return .number(seconds)
        case .size: return .number(try TypedSize.bytes(word, for: option))
        case .choice, .flag:
            try known(offered, placeholder.lowercased())
            if case .flag = self { return .flag(word == "yes") }
            return .text(word)
        case .policy:
            try known(offered, "preset")
            return .policy(PolicyPreset.policy(named: word) ?? .usual)
        case .service: return .text(word == "none" ? "" : word)
        case .sensor:
            if !Self.isSensor(word) {
                throw AgentError(.request, "\(option) needs \(VaultSettings.fprintd) or an absolute path")
            }
            return .text(word)
        case .rules: return .text(word)
        }
    }

    /// Returns the word that means this value on a command line.
    package func word(for value: SettingValue) -> String {
        switch self {
        case .time(_, let canBeNever, _): canBeNever && value == 0 ? "never" : TypedTime.text(value.number)
        case .size: TypedSize.text(value.number)
        case .flag: value.flag ? "yes" : "no"
        case .policy: value.policy.title
        case .service, .sensor: value.textIfAny ?? "none"
        case .choice, .rules: value.text
        }
    }

    /// Throws if a request asks for a value that no vault can have. It names the member.
    func check(_ value: SettingValue, _ member: String) throws(AgentError) {
        switch self {
        case .time(let most, _, _) where !(0...most).contains(value.number):
            throw AgentError(.request, "\"\(member)\" is a number of seconds, at most \(most)")
        case .choice(_, let words) where !words.contains(value.text):
            throw AgentError(.request, "\"\(member)\" is one of \(words.joined(separator: ", "))")
        case .sensor where !Self.isSensor(value.text) || value.text.utf8.count > 4096:
            throw AgentError(.request, "a sensor is \(VaultSettings.fprintd), or a command with an absolute path")
        case .policy: _ = try value.policy.control()
        case .rules: _ = try SecretRules(value.text)
        case .time, .size, .choice, .flag, .service, .sensor: break
        }
    }

    /// Returns the nearest value that a vault can have to one from the sealed bytes.
    func clamped(_ value: SettingValue) -> SettingValue {
        if case .time(let most, _, _) = self { .number(min(max(0, value.number), most)) } else { value }
    }

    private static func isSensor(_ word: String) -> Bool {
        word == VaultSettings.fprintd || word.utf8.first == UInt8(ascii: "/")
    }
}
