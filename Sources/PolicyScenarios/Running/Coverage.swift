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

    private var fired: Set<AnyRule> = []
    private var cells = [Bool](repeating: false, count: Self.flags.count * Verdict.allCases.count)
    /// True if the rules of syncing count, because a scenario has several devices.
    private(set) package var countsSyncing: Bool

    /// Creates a record in which nothing is covered yet.
    package init(countsSyncing: Bool = false) { self.countsSyncing = countsSyncing }

    /// The flags by name; nil stands for an item without flags.
    private static let flags: [(flag: AccessControlFlags?, name: String)] =
        [(nil, "no flags")] + AccessControlFlags.named.map { ($0.flag, $0.name) }

    /// The rules that no scenario can make fire, each with the reason.
    package static let outOfReach: [AnyRule: String] = [
        .item(.itemUnbound): "a keychain binds every item when it stores it",
        .item(.evidenceFromOtherSession):
            "a keychain forgets authentication from before a lock or a restart before it decides",
        .item(.evidenceExpired): "a keychain forgets expired authentication before it decides",
        .item(.sheetAuthenticatorUnavailable): "every authenticator of a simulated device is available",
        .sync(.viewNeverSyncs): "an item of a scenario has no view hint",
        .sync(.viewOfOtherDevices):
            "every device of a scenario is a phone, a tablet or a Mac, which get all views that sync",
        .sync(.keyOfEnclave): "a key of the enclave has a flag, so that no device stores it as synchronizable",
        .sync(.protected):
            "no device stores a synchronizable item with flags, and a step cannot make one synchronizable",
        .sync(.tooLarge): "a secret of more than 1 MiB is too long for a file that people read",
    ]

    /// Returns true if a scenario can cover the cell. A request for an item without flags never leads to a prompt.
    private static func canBe(_ cell: Cell) -> Bool { cell.flag != "no flags" || cell.verdict != .asked }

    private static func place(_ flag: Int, _ verdict: Verdict) -> Int {
        flag * Verdict.allCases.count + verdict.rawValue
    }

    mutating func note(_ outcome: StepOutcome) {
        if case .denied(let denial) = outcome.verdict { fired.insert(.item(denial.rule)) }
        if let decision = outcome.fileDecision { fired.insert(.file(decision.rule)) }
        for movement in outcome.movements { fired.insert(.sync(movement.rule)) }
        for watched in outcome.decisions {
            for rule in watched.trace { fired.insert(.item(rule)) }
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
        fired.formUnion(other.fired)
        countsSyncing = countsSyncing || other.countsSyncing
        for place in cells.indices where other.cells[place] { cells[place] = true }
    }

    // MARK: - Results

    /// Returns true if this rule of any catalog fired.
    package func hasFired(_ rule: AnyRule) -> Bool { fired.contains(rule) }

    /// The rules that count: all that a scenario can make fire. Those of syncing count only if a scenario has several devices.
    package var rules: [AnyRule] { AnyRule.all.filter { Self.outOfReach[$0] == nil && counts($0) } }

    /// The rules that are left out because no scenario can make them fire, in the order of the reference.
    package var leftOut: [(rule: AnyRule, reason: String)] {
        AnyRule.all.compactMap { rule in
            counts(rule) ? Self.outOfReach[rule].map { (rule, $0) } : nil
        }
    }

    /// Returns true if rules of this catalog count.
    private func counts(_ rule: AnyRule) -> Bool {
        switch rule {
        case .item, .file: true
        case .sync: countsSyncing
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
        let rules = rules
        return (rules.count(where: hasFired) + cells.count(where: \.isCovered), rules.count + cells.count)
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
