import TestSupport

/// A second implementation of the fact sheet. It decides by the tables of `Fixtures/policies` and by trying every set
/// of factors. It builds no constraint and shares no code with the engine.
struct NaiveEvaluator {
    /// The access policy of an item, as the tables describe it.
    struct Policy {
        let constraints: [Int]
        let anyOneDoes: Bool
        let needsPassword: Bool
        let isKey: Bool
        let isPlain: Bool
        let protectionClass: Int
        /// True if the constraint guards the operation; nil if the policy has no entry for it.
        let guarded: [String: Bool?]
    }

    struct Answer: Hashable, CustomStringConvertible {
        var verdict: String
        var ways: [Int] = []
        var description: String { "\(verdict) \(ways)" }
    }

    struct Requirement {
        let flag: String
        let alternatives: [Int]
        let survivesChange: Bool
        let survivesReset: Bool
        let storingNeeds: Int
    }

    struct Call {
        let name: String
        let operation: String
        let operationForKey: String
        let needsClass: Bool
        let writes: Bool
        let password: String
        let items: String
    }

    struct Obstacle {
        let factor: Int
        let condition: String
        let keepsFromStoring: Bool
        let rule: String
    }

    /// The factors in prompting order. A set of them is a number with one bit for each.
    static let factors = ["biometry", "companion", "passcode", "application password"]

    let requirements: [Requirement]
    let calls: [Call]
    let obstacles: [Obstacle]
    let classes: [(name: String, states: [String])]
    let order: [(situation: String, verdict: String)]
    private let operations: [String: [String]]

    static func bit(_ factor: String) throws -> Int {
        guard let index = factors.firstIndex(of: factor) else { throw TableError(cell: factor) }
        return 1 << index
    }

    struct TableError: Error { let cell: String }

    init() throws {
        requirements = try FixtureTable("requirements").rows.map { row in
            Requirement(
                flag: row[0], alternatives: try row[1].components(" or ").map(Self.bit),
                survivesChange: row[2] == "yes",
                survivesReset: row[3] == "yes", storingNeeds: try Self.bit(row[4].components(" ")[0]))
        }
        calls = try FixtureTable("calls").rows.map { row in
            Call(
                name: row[0], operation: row[1], operationForKey: row[2] == "-" ? row[1] : row[2],
                needsClass: row[3] == "yes", writes: row[4] == "yes", password: row[5], items: row[6])
        }
        obstacles = try FixtureTable("obstacles").rows.map { row in
            Obstacle(
                factor: try Self.bit(row[0]), condition: row[1], keepsFromStoring: row[2] == "yes", rule: row[3])
        }
        classes = try FixtureTable("classes").rows.map { ($0[0], Array($0.dropFirst(3))) }
        order = try FixtureTable("order").rows.map { ($0[0], $0[1]) }
        operations = Dictionary(
            uniqueKeysWithValues: try FixtureTable("operations").rows.map {
                ($0[0] + " " + $0[1], Array($0.dropFirst(2)))
            })
    }

    private static let operationColumns = ["od", "oe", "odel", "osgn", "ock", "okd", "oa", "dacl"]

    /// Returns the policy of these flags (nil for an item without flags) and this class.
    func policy(flags: Set<String>?, protectionClass: String) throws -> Policy {
        let asked = requirements.indices.filter { flags?.contains(requirements[$0].flag) ?? false }
        let kind = flags == nil ? "plain" : flags?.contains("privateKeyUsage") == true ? "key" : "data"
        guard let row = operations[kind + (asked.isEmpty ? " none" : " some")],
            let classIndex = classes.firstIndex(where: { $0.name == protectionClass })
        else { throw TableError(cell: kind) }
        var guarded: [String: Bool?] = [:]
        for (column, cell) in zip(Self.operationColumns, row) {
            let effective = cell == "-" ? row[row.count - 1] : cell
            guarded[column] = .some(effective == "-" ? nil : effective == "C")
        }
        return Policy(
            constraints: asked, anyOneDoes: flags?.contains("or") ?? false,
            needsPassword: flags?.contains("applicationPassword") ?? false, isKey: kind == "key",
            isPlain: kind == "plain",
            protectionClass: classIndex, guarded: guarded)
    }

    func answer(_ policy: Policy, _ call: Call, _ facts: Facts) -> Answer {
        if facts.invalidated { return Answer(verdict: "context.invalidated") }
        if facts.interaction == .skip && call.writes { return Answer(verdict: "interaction.skip-unsupported") }
        switch facts.groups {
        case .own: break
        case .none: return Answer(verdict: "group.none")
        case .other: return Answer(verdict: facts.namesGroup || call.name == "add" ? "group.named" : "group.hidden")
        }
        if let rule = classRule(policy, call, facts) { return Answer(verdict: rule) }
        if call.name == "delete" || call.name == "inventory" { return Answer(verdict: "granted", ways: [0]) }

        if call.name == "add" {
            if !policy.isPlain && facts.synchronizable { return Answer(verdict: "add.synchronizable-with-flags") }
            if let rule = storingRule(policy, facts) { return Answer(verdict: rule) }
            let held = facts.passwordAtHand ? 8 : 0
            return settle([policy.needsPassword ? 8 : 0], held: held, facts, choosing: true)
        }

        let lives = (0..<16).contains { satisfies($0, policy, facts) }
        if !lives, let rule = changeRule(policy, call, facts) {
            let absence = obstacles.first { $0.factor == 1 && $0.keepsFromStoring && applies($0.condition, facts) }
            return Answer(verdict: facts.changedSetIsTold ? absence?.rule ?? rule : rule)
        }

        if call.items != "all" && (call.items == "keys") != facts.isKey {
            return Answer(verdict: "operation.without-entry")
        }
        var operation = policy.isKey ? call.operationForKey : call.operation
        if facts.attributesOpen && ["readAttributes", "readReference"].contains(call.name) { operation = "true" }
        if facts.duplicatesAtOnce && call.name == "judgeDuplicate" { operation = "true" }
        var guarded = false
        if operation != "true" {
            guard let entry = policy.guarded[operation] ?? nil else {
                return Answer(verdict: "operation.without-entry")
            }
            guarded = entry
        }
        let password = policy.needsPassword && call.password == "proved" && operation != "true"
        let satisfying = (0..<16).filter { set in
            (!guarded || satisfies(set, policy, facts)) && (!password || set & 8 != 0)
        }
        let minimal = satisfying.filter { set in !satisfying.contains { $0 != set && $0 & set == $0 } }
        let answer = settle(minimal.sorted(by: inAskingOrder), held: held(policy, facts), facts)
        return call.name == "judgeDuplicate" && answer.verdict == "granted" ? Answer(verdict: "item.duplicate") : answer
    }

    /// Grants, skips the item, or names the missing factors.
    private func settle(_ ways: [Int], held: Int, _ facts: Facts, choosing: Bool = false) -> Answer {
        if let way = ways.first(where: { $0 & held == $0 }) { return Answer(verdict: "granted", ways: [way]) }
        let blocked = ways.map { way in
            obstacles.filter { $0.factor & way & ~held != 0 && applies($0.condition, facts) }.first?.rule
        }
        let open = zip(ways, blocked).filter { $0.1 == nil }.map { $0.0 & ~held }
        for row in order {
            switch row.situation {
            case "skip" where facts.interaction == .skip,
                "locked"
            where [.grace, .locked, .beforeFirstUnlock].contains(facts.lock) && facts.interaction != .preflight,
                "wrong"
            where facts.interaction == .fail && facts.passwordProof == .refused && open.contains { $0 & 8 != 0 },
                "missing" where facts.interaction == .fail && open.contains(8) && !choosing,
                "fail" where facts.interaction == .fail, "ask":
                return Answer(verdict: row.verdict, ways: open)
            case "blocked" where open.isEmpty:
                // Report the obstacle of the first way, or of the way with the passcode.
                let named = zip(ways, blocked).first { $0.0 & 4 != 0 } ?? zip(ways, blocked).first { _ in true }
                return Answer(verdict: named?.1 ?? "nothing is in the way")
            default: continue
            }
        }
        preconditionFailure("order.tsv ends without a verdict")
    }

    private func inAskingOrder(_ left: Int, _ right: Int) -> Bool {
        left.trailingZeroBitCount < right.trailingZeroBitCount
    }

    /// Returns true if a set of factors satisfies the constraints of an item whose enrollments may have changed.
    private func satisfies(_ set: Int, _ policy: Policy, _ facts: Facts) -> Bool {
        let met = policy.constraints.map { index in
            let requirement = requirements[index]
            return alternatives(of: requirement, facts).contains { factor in
                set & factor != 0 && !(factor == 1 && isClosed(requirement, facts))
            }
        }
        if policy.constraints.isEmpty { return true }
        return policy.anyOneDoes ? met.contains(true) : !met.contains(false)
    }

    private func alternatives(of requirement: Requirement, _ facts: Facts) -> [Int] {
        requirement.flag == "userPresence" && facts.isMac ? requirement.alternatives + [2] : requirement.alternatives
    }

    private func isClosed(_ requirement: Requirement, _ facts: Facts) -> Bool {
        switch facts.set {
        case .same: false
        case .changed: !requirement.survivesChange
        case .reset: !requirement.survivesReset
        }
    }

    /// Returns the rule by which an enrollment change denies the call: any call on data, and calls that use a key.
    private func changeRule(_ policy: Policy, _ call: Call, _ facts: Facts) -> String? {
        if policy.isKey {
            let isGuarded = policy.guarded[call.operationForKey] == .some(true)
            return isGuarded && policy.constraints.contains { isClosed(requirements[$0], facts) }
                ? "key.invalidated" : nil
        }
        for index in policy.constraints where isClosed(requirements[index], facts) {
            return requirements[index].survivesChange ? "biometry.sensor.changed" : "biometry.current-set.changed"
        }
        return nil
    }

    private func held(_ policy: Policy, _ facts: Facts) -> Int {
        var held = 0
        if countsAsMatch(facts, policy) || reuses(facts) { held |= 1 }
        if facts.companionProof == .counts { held |= 2 }
        if facts.passcodeProof == .counts { held |= 4 }
        if facts.passwordProof == .counts { held |= 8 }
        return held
    }

    /// Returns true if the match counts. That depends on what the item is bound to; a match on a former sensor never
    /// counts.
    private func countsAsMatch(_ facts: Facts, _ policy: Policy) -> Bool {
        switch facts.fingerProof {
        case .counts, .otherItem: true
        case .none, .otherSession, .otherSensor, .refused, .refusedByOther: false
        case .otherSet: facts.set != .reset && policy.constraints.allSatisfy { requirements[$0].survivesChange }
        }
    }

    /// Returns true if the last unlock counts as a match. The same match must be possible now, against the same
    /// enrollments.
    private func reuses(_ facts: Facts) -> Bool {
        facts.unlock == .fresh && facts.biometry == .ready
            && ![.grace, .locked, .beforeFirstUnlock].contains(facts.lock)
            && !obstacles.contains { $0.factor == 1 && applies($0.condition, facts) }
    }

    private func classRule(_ policy: Policy, _ call: Call, _ facts: Facts) -> String? {
        guard call.needsClass else { return nil }
        let entry = classes[policy.protectionClass]
        let state = entry.states[facts.lock.rawValue]
        if call.name == "add" {
            if state == "absent" { return "class.passcode-not-set" }
        } else if entry.name == "akpu" && (facts.passcodeWasRemoved || state == "absent") {
            return "class.destroyed"
        }
        if state == "open" { return nil }
        return facts.lock == .beforeFirstUnlock ? "class.before-first-unlock" : "class.locked"
    }

    private func storingRule(_ policy: Policy, _ facts: Facts) -> String? {
        if !facts.isKey, policy.guarded["oe"] == .some(nil) { return "operation.without-entry" }
        if policy.constraints.isEmpty && !policy.needsPassword { return nil }
        if facts.lock == .beforeFirstUnlock { return "add.before-first-unlock" }
        for need in policy.constraints.map({ requirements[$0].storingNeeds }).sorted() {
            for obstacle in obstacles where obstacle.factor == need && applies(obstacle.condition, facts) {
                let lockout = obstacle.condition == "locked out" && facts.lockoutKeepsFromStoring
                if obstacle.keepsFromStoring || lockout { return obstacle.rule }
            }
        }
        return nil
    }

    private func applies(_ condition: String, _ facts: Facts) -> Bool {
        switch condition {
        case "no hardware": facts.biometry == .noHardware
        case "no usage text": facts.biometry == .noUsageText
        case "not permitted": facts.biometry == .notPermitted
        case "not enrolled": facts.biometry == .notEnrolled
        case "locked out": facts.biometry == .lockedOut
        case "passcode required": facts.passcodeRequired
        case "passcode not set": facts.lock == .noPasscode
        case "passcode delayed": facts.lock != .noPasscode && facts.passcode == .delayed
        case "passcode disabled": facts.lock != .noPasscode && facts.passcode == .disabled
        case "companion not paired": facts.companion == .notPaired
        case "companion not ready": facts.companion == .away || facts.companion == .locked
        default: preconditionFailure("obstacles.tsv names a condition that nobody knows: \(condition)")
        }
    }
}

extension String {
    func components(_ separator: String) -> [String] { self.split(separator: separator).map(String.init) }
}
