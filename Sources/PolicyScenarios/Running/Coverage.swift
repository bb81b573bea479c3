package import AccessPolicy
internal import SecretVault

/// Which rules fired, and how requests for items under which flags were decided.
package struct Coverage: Hashable, Sendable {
    /// How a request was decided.
    package enum Verdict: Int, CaseIterable, Sendable {
        case granted
        case asked
        case denied
    }

    /// A flag, and how a request for an item that has it was decided.
    package struct Cell: Hashable, Sendable {
        /// The flag, or `no flags`.
        package let flag: String
        package let verdict: Verdict
    }

    private var fired = [Bool](repeating: false, count: Rule.allCases.count)
    private var cells = [Bool](repeating: false, count: Self.flags.count * Verdict.allCases.count)

    package init() {}

    /// The flags, and what an item has that has none.
    private static let flags: [(flag: AccessControlFlags?, name: String)] =
        [(nil, "no flags")] + AccessControlFlags.named.map { ($0.flag, $0.name) }

    /// The rules that no scenario can make fire, each with why.
    package static let outOfReach: [Rule: String] = [
        .itemUnbound: "every item of a keychain was stored once",
        .evidenceFromOtherSession: "a keychain wipes what was proved before a lock or a restart, before it decides",
        .evidenceExpired: "a keychain wipes what was proved too long ago, before it decides",
        .sheetAuthenticatorUnavailable: "a simulated device has no judge that could be away",
    ]

    /// Returns true if a scenario can get there: who asks for what has no flags is never asked for a proof.
    private static func canBe(_ cell: Cell) -> Bool { cell.flag != "no flags" || cell.verdict != .asked }

    private static func place(_ flag: Int, _ verdict: Verdict) -> Int {
        flag * Verdict.allCases.count + verdict.rawValue
    }

    mutating func note(_ outcome: Outcome) {
        if case .denied(let denial) = outcome.verdict { fired[Int(denial.rule.rawValue)] = true }
        for watched in outcome.decisions {
            for rule in watched.trace { fired[Int(rule.rawValue)] = true }
            guard case .item(let item, _, _) = watched.request.subject else { continue }
            let verdict: Verdict =
                switch watched.decision {
                case .granted: .granted
                case .challenge: .asked
                case .denied: .denied
                }
            let flags = item.control.flags
            if flags.isEmpty { cells[Self.place(0, verdict)] = true }
            for (place, known) in Self.flags.enumerated() {
                if let flag = known.flag, flags.contains(flag) { cells[Self.place(place, verdict)] = true }
            }
        }
        for step in outcome.meanwhile { note(step.outcome) }
    }

    /// Both together.
    package mutating func add(_ other: Coverage) {
        for place in fired.indices where other.fired[place] { fired[place] = true }
        for place in cells.indices where other.cells[place] { cells[place] = true }
    }

    // MARK: - What it shows

    /// Returns true if this rule fired.
    package func hasFired(_ rule: Rule) -> Bool { fired[Int(rule.rawValue)] }

    /// The rules that a scenario can make fire.
    package static let rules = Rule.allCases.filter { outOfReach[$0] == nil }

    /// All that can be covered of flags and verdicts, with whether it was.
    package var flagCells: [(cell: Cell, isCovered: Bool)] {
        Self.flags.indices.flatMap { place in
            Verdict.allCases.map { (Cell(flag: Self.flags[place].name, verdict: $0), cells[Self.place(place, $0)]) }
        }.filter { Self.canBe($0.0) }
    }

    /// How much of all that can be covered was, and how much that is.
    package var count: (covered: Int, all: Int) {
        let cells = flagCells
        return (
            Self.rules.count(where: hasFired) + cells.count(where: \.isCovered), Self.rules.count + cells.count
        )
    }

    /// The same in hundredths.
    package var percent: Double {
        let (covered, all) = count
        return 100 * Double(covered) / Double(all)
    }
}

extension Coverage.Verdict: CustomStringConvertible {
    /// The word that reports have for it.
    package var name: String {
        switch self {
        case .granted: "granted"
        case .asked: "asked"
        case .denied: "denied"
        }
    }

    /// The name.
    package var description: String { name }
}
