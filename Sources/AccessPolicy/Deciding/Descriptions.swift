// The printed form of decisions and their parts. Rules print as their identifiers, which never change.

extension Rule: CustomStringConvertible {
    /// The identifier, such as `class.locked`.
    public var description: String { identifier }
}

extension Factor: NamedChoice, CustomStringConvertible {
    /// The name of the factor, such as `passcode`.
    public var description: String { name }
}

extension BitSet: CustomStringConvertible where Element: CustomStringConvertible {
    /// The members, such as `[biometry, passcode]`.
    public var description: String { "[" + map { $0.description }.joined(separator: ", ") + "]" }
}

extension Ways: CustomStringConvertible {
    /// The ways, such as `biometry, or companion and passcode`.
    public var description: String {
        if isEmpty { return "no way" }
        return map { $0.isEmpty ? "nothing" : $0.map { $0.name }.joined(separator: " and ") }.joined(separator: ", or ")
    }
}

extension Trace: CustomStringConvertible {
    /// The rules, in the order in which they fired.
    public var description: String { map { $0.identifier }.joined(separator: " → ") }
}

extension Decision: CustomStringConvertible {
    /// The answer in short, such as `denied by class.locked (unlock the device)`.
    public var description: String {
        switch self {
        case .granted(let grant):
            grant.way.isEmpty ? "granted" : "granted by \(Ways(grant.way))\(grant.reusesUnlock ? ", reused" : "")"
        case .challenge(let ways): "asks for \(ways)"
        case .denied(let denial): "\(denial)"
        }
    }
}

extension Denial: CustomStringConvertible {
    /// The rule and its remedy, such as `denied by class.locked (unlock the device)`.
    public var description: String { "denied by \(rule) (\(rule.remedy.text))" }
}
