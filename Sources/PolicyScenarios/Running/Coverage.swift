package import AccessPolicy
internal import SecretVault

/// A record of the rules that fired and of the verdicts on requests, flag by flag.
package struct Coverage: Hashable, Sendable {
    /// A verdict on a request.
    package enum Verdict: Int, CaseIterable, Sendable {
        case granted
        /// The request led to a prompt.
        case asked
        case denied
    }

    /// A flag, with a verdict on a request for an item that has it.
    package struct Cell: Hashable, Sendable {
        /// The name of the flag, or `no flags`.
        package let flag: String
        package let verdict: Verdict
    }

    private var fired = [Bool](repeating: false, count: Rule.allCases.count)
    private var firedForFiles = [Bool](repeating: false, count: FileRule.allCases.count)
    private var cells = [Bool](repeating: false, count: Self.flags.count * Verdict.allCases.count)

    /// Creates a record in which nothing is covered yet.
    package init() {}

    /// The flags by name; nil stands for an item without flags.
    private static let flags: [(flag: AccessControlFlags?, name: String)] =
        [(nil, "no flags")] + AccessControlFlags.named.map { ($0.flag, $0.name) }

    /// The rules that no scenario can make fire, each with the reason.
    package static let outOfReach: [Rule: String] = [
        .itemUnbound: "a keychain binds every item when it stores it",
        .evidenceFromOtherSession:
            "a keychain forgets authentication from before a lock or a restart before it decides",
        .evidenceExpired: "a keychain forgets expired authentication before it decides",
        .sheetAuthenticatorUnavailable: "every authenticator of a simulated device is available",
    ]

    /// Returns true if a scenario can cover the cell. A request for an item without flags never leads to a prompt.
    private static func canBe(_ cell: Cell) -> Bool { cell.flag != "no flags" || cell.verdict != .asked }

    private static func place(_ flag: Int, _ verdict: Verdict) -> Int {
        flag * Verdict.allCases.count + verdict.rawValue
    }

    mutating func note(_ outcome: StepOutcome) {
        if case .denied(let denial) = outcome.verdict { fired[Int(denial.rule.rawValue)] = true }
        if let decision = outcome.fileDecision { firedForFiles[Int(decision.rule.rawValue)] = true }
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

    package mutating func add(_ other: Coverage) {
        for place in fired.indices where other.fired[place] { fired[place] = true }
        for place in firedForFiles.indices where other.firedForFiles[place] { firedForFiles[place] = true }
        for place in cells.indices where other.cells[place] { cells[place] = true }
    }

    // MARK: - Results

    package func hasFired(_ rule: Rule) -> Bool { fired[Int(rule.rawValue)] }

    /// Returns true if this rule about files fired.
    package func hasFired(_ rule: FileRule) -> Bool { firedForFiles[Int(rule.rawValue)] }

    /// Returns true if this rule of any catalog fired.
    package func hasFired(_ rule: AnyRule) -> Bool {
        switch rule {
        case .item(let rule): hasFired(rule)
        case .file(let rule): hasFired(rule)
        case .sync: false
        }
    }

    /// The rules that a scenario can make fire.
    package static let rules = AnyRule.all.filter { rule in
        switch rule {
        case .item(let rule): outOfReach[rule] == nil
        case .file: true
        case .sync: false  // a file expects them by `moved`
        }
    }

    /// All cells that a scenario can cover, each with whether it is covered.
    package var flagCells: [(cell: Cell, isCovered: Bool)] {
        Self.flags.indices.flatMap { place in
            Verdict.allCases.map { (Cell(flag: Self.flags[place].name, verdict: $0), cells[Self.place(place, $0)]) }
        }.filter { Self.canBe($0.0) }
    }

    /// The number of rules and cells that are covered, and of all that can be.
    package var count: (covered: Int, all: Int) {
        let cells = flagCells
        return (
            Self.rules.count(where: hasFired) + cells.count(where: \.isCovered), Self.rules.count + cells.count
        )
    }

    /// The covered share in percent.
    package var percent: Double {
        let (covered, all) = count
        return 100 * Double(covered) / Double(all)
    }
}

extension Coverage.Verdict: CustomStringConvertible {
    /// The word for it in reports.
    package var name: String {
        switch self {
        case .granted: "granted"
        case .asked: "asked"
        case .denied: "denied"
        }
    }

    /// The word for it in reports.
    package var description: String { name }
}
