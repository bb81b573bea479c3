package import AccessPolicy
internal import PlainText

/// The rules of the Secret Service: how often the user is asked for items with some attributes, and which access policy new
/// ones get. The first rule that matches holds.
///
/// The text has one rule a line:
///
///     # Chromium reads its key at every start.
///     application=chromium -> once-per-session
///     xdg:schema=org.gnome.* server=bank.example -> each-time require=biometryCurrentSet
package struct SecretRules: Hashable, Sendable {
    /// How often the user is asked for an item.
    package enum Frequency: String, CaseIterable, Sendable {
        /// Each program is asked about for each item, and its grant lasts for some seconds.
        case eachTime = "each-time"
        /// After one authentication, every program of the user gets the items of the rule until the vault is locked.
        case oncePerSession = "once-per-session"
    }

    package struct Rule: Hashable, Sendable {
        /// The patterns that the attributes have to match, in the order of the line.
        package var patterns: [AttributePattern]
        /// How often the user is asked.
        package var frequency: Frequency
        /// The accessibility class of new items; nil for that of the vault's default.
        package var protection: Accessibility?
        /// The flags of new items; nil for those of the vault's default.
        package var flags: AccessControlFlags?
        /// The line, without spaces around it.
        package var text: String

        /// Returns true if the rule is about items with these attributes.
        package func matches(_ attributes: [String: String]) -> Bool {
            patterns.allSatisfy { pattern in attributes[pattern.name].map { pattern.matches($0) } ?? false }
        }
    }

    /// A condition on one attribute.
    package struct AttributePattern: Hashable, Sendable {
        package var name: String
        /// The value, in which `*` stands for any text.
        package var value: String

        package init(name: String, value: String) { (self.name, self.value) = (name, value) }

        /// Returns true if this value satisfies the condition.
        package func matches(_ text: String) -> Bool {
            let parts = value.utf8.split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false)
            guard parts.count > 1, let first = parts.first, let last = parts.last else {
                return text.utf8.elementsEqual(value.utf8)
            }
            var rest = Array(text.utf8)[...]
            guard rest.starts(with: first), rest.count >= first.count + last.count else { return false }
            rest = rest.dropFirst(first.count)
            guard rest.suffix(last.count).elementsEqual(last) else { return false }
            rest = rest.dropLast(last.count)
            for part in parts.dropFirst().dropLast() where !part.isEmpty {
                var place = rest.startIndex
                while !rest[place...].starts(with: part) {
                    if place == rest.endIndex { return false }
                    place += 1
                }
                rest = rest[(place + part.count)...]
            }
            return true
        }
    }

    /// The rules in their order.
    package private(set) var rules: [Rule] = []
    /// The text that they were read from.
    package private(set) var text = ""

    /// The longest text of rules, in bytes.
    package static let longest = 32 * 1024

    /// Creates no rules: every item is asked for each time, and new ones get the vault's default policy.
    package init() {}

    /// Reads the text of rules.
    ///
    /// - Throws: ``AgentError`` with the line, the column, and the words that would be right there.
    package init(_ text: String) throws(AgentError) {
        if text.utf8.count > Self.longest {
            throw AgentError(.request, "the rules have more than \(Self.longest) bytes: shorten them")
        }
        self.text = text
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        for (number, line) in lines.enumerated() {
            var reader = RuleReader(line, number: number + 1)
            if let rule = try reader.rule() { rules.append(rule) }
        }
    }

    /// Returns the rule that holds for items with these attributes; nil if none does.
    package func rule(for attributes: [String: String]) -> Rule? { rules.first { $0.matches(attributes) } }

    /// Returns the policy of a new item with these attributes.
    package func policy(for attributes: [String: String], usual: ItemPolicy) -> ItemPolicy {
        guard let rule = rule(for: attributes) else { return usual }
        return ItemPolicy(rule.protection ?? usual.protection, rule.flags ?? usual.flags)
    }
}

/// A reader of one line.
private struct RuleReader {
    private let words: [(text: String, column: Int, isQuoted: Bool)]
    private let number: Int
    private let line: String
    private let fault: AgentError?

    init(_ line: Substring, number: Int) {
        self.number = number
        let scalars = Array(line.unicodeScalars)
        var words: [(String, Int, Bool)] = []
        var fault: AgentError?
        var place = 0
        var end = scalars.count
        func isSpace(_ place: Int) -> Bool { scalars[place].properties.isWhitespace }
        reading: while place < scalars.count {
            if isSpace(place) {
                place += 1
                continue
            }
            if scalars[place] == "#" {
                end = place
                break
            }
            let start = place
            var (word, isQuoted) = (String.UnicodeScalarView(), false)
            while place < scalars.count, !isSpace(place) {
                guard scalars[place] == "\"" else {
                    word.append(scalars[place])
                    place += 1
                    continue
                }
                isQuoted = true
                let quote = place
                place += 1
                while place < scalars.count, scalars[place] != "\"" {
                    word.append(scalars[place])
                    place += 1
                }
                if place == scalars.count {
                    fault = Self.error(number, quote + 1, "this quotation mark is not closed")
                    break reading
                }
                place += 1
            }
            words.append((String(word), start + 1, isQuoted))
        }
        var text = String.UnicodeScalarView(scalars[..<end])
        while let last = text.last, last.properties.isWhitespace { text.removeLast() }
        while let first = text.first, first.properties.isWhitespace { text.removeFirst() }
        self.line = String(text)
        self.words = words
        self.fault = fault
    }

    private static func error(_ line: Int, _ column: Int, _ what: String) -> AgentError {
        AgentError(.request, "line \(line), column \(column): \(what)")
    }

    private func error(_ column: Int, _ what: String) -> AgentError { Self.error(number, column, what) }

    /// Returns the rule of the line; nil if it has none.
    mutating func rule() throws(AgentError) -> SecretRules.Rule? {
        if let fault { throw fault }
        if words.isEmpty { return nil }
        guard let arrow = words.firstIndex(where: { $0.text == "->" && !$0.isQuoted }) else {
            throw error(words[0].column, "a rule has the form ATTRIBUTE=PATTERN -> WORDS, and the \"->\" is missing")
        }
        guard arrow > 0 else { throw error(words[0].column, "name an attribute first, such as application=chromium") }
        var patterns: [SecretRules.AttributePattern] = []
        for word in words[..<arrow] {
            guard let equals = word.text.firstIndex(of: "="), equals > word.text.startIndex else {
                throw error(
                    word.column,
                    "\(Terminal.line(word.text)) is no ATTRIBUTE=PATTERN, such as application=chromium")
            }
            let name = String(word.text[..<equals])
            if patterns.contains(where: { $0.name == name }) {
                throw error(word.column, "the attribute \(Terminal.line(name)) is here twice")
            }
            patterns.append(.init(name: name, value: String(word.text[word.text.index(after: equals)...])))
        }
        guard arrow + 1 < words.count else {
            throw error(words[arrow].column, "say how often to ask: each-time or once-per-session")
        }
        var rule = SecretRules.Rule(patterns: patterns, frequency: .eachTime, text: line)
        var said: Set<String> = []
        for word in words[(arrow + 1)...] {
            let kind = try apply(word.text, word.column, to: &rule)
            guard said.insert(kind).inserted else { throw error(word.column, "\(kind) is here twice") }
        }
        if let flags = rule.flags {
            if flags.contains(.applicationPassword) {
                throw error(words[arrow].column, "no program of the desktop gives an application password")
            }
            let protection = rule.protection ?? .whenUnlockedThisDeviceOnly
            do throws(AgentError) { _ = try ItemPolicy(protection, flags).control() } catch {
                throw self.error(words[arrow].column, error.message)
            }
        }
        return rule
    }

    /// Applies one word, and returns its kind.
    private func apply(
        _ word: String, _ column: Int, to rule: inout SecretRules.Rule
    ) throws(AgentError) -> String {
        if let frequency = SecretRules.Frequency(rawValue: word) {
            rule.frequency = frequency
            return "how often to ask"
        }
        if word.hasPrefix("require=") {
            var flags: AccessControlFlags = []
            let names = word.dropFirst("require=".count).split(separator: ",", omittingEmptySubsequences: false)
            for name in names where names != ["nothing"] {
                guard let flag = AccessControlFlags.named.first(where: { $0.name == name })?.flag else {
                    let all = AccessControlFlags.named.map(\.name).joined(separator: ", ")
                    throw error(column, "\"\(Terminal.line(String(name)))\" is no flag: use nothing, or \(all)")
                }
                flags.insert(flag)
            }
            rule.flags = flags
            return "require"
        }
        if word.hasPrefix("accessible=") {
            let name = word.dropFirst("accessible=".count)
            guard let protection = Accessibility.allCases.first(where: { $0.name == name }) else {
                let all = Accessibility.allCases.map(\.name).joined(separator: ", ")
                throw error(column, "\"\(Terminal.line(String(name)))\" is no accessibility class: use one of \(all)")
            }
            rule.protection = protection
            return "accessible"
        }
        throw error(
            column,
            "\"\(Terminal.line(word))\" means nothing here: use each-time, once-per-session, require=FLAGS or "
                + "accessible=CLASS")
    }
}
