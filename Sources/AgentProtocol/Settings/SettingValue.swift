/// The value of a setting, in the form that its kind has.
package enum SettingValue: Hashable, Sendable {
    case number(Int)
    case flag(Bool)
    case text(String)
    case policy(ItemPolicy)

    /// The number; 0 for a value of another form.
    package var number: Int { if case .number(let number) = self { number } else { 0 } }
    /// The Boolean value; false for a value of another form.
    package var flag: Bool { self == .flag(true) }
    /// The text; empty for a value of another form.
    package var text: String { if case .text(let text) = self { text } else { "" } }
    /// The text; nil if it is empty.
    package var textIfAny: String? { text.isEmpty ? nil : text }
    /// The policy; the usual one for a value of another form.
    package var policy: ItemPolicy { if case .policy(let policy) = self { policy } else { .usual } }
}

extension SettingValue: ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral, ExpressibleByStringLiteral {
    package init(integerLiteral value: Int) { self = .number(value) }
    package init(booleanLiteral value: Bool) { self = .flag(value) }
    package init(stringLiteral value: String) { self = .text(value) }
}

extension WireCoder {
    /// Codes an optional value of the form that `usual` has. Nil is left out.
    mutating func valueIfSaid(
        _ name: String, like usual: SettingValue, _ value: inout SettingValue?
    ) throws(Failure) {
        switch usual {
        case .number:
            var number = value?.number
            try numberIfSaid(name, &number)
            value = number.map { .number($0) }
        case .flag:
            var flag = value?.flag
            try flagIfSaid(name, &flag)
            value = flag.map { .flag($0) }
        case .text:
            var text = value?.text
            try textIfSaid(name, &text)
            value = text.map { .text($0) }
        case .policy:
            var policy = value?.policy
            try policyIfSaid(name, &policy)
            value = policy.map { .policy($0) }
        }
    }
}
