import AccessPolicy
import TestSupport
import Testing

/// Compares the engine with the naive evaluator, on every combination of flags and all facts that can affect it: on one
/// in eight of these requests by day.
@Suite struct SecondEvaluatorTests {
    struct Findings: Sendable {
        var met = 0
        var compared = 0
        var differ = 0
        var examples: [String] = []
        var fired: Set<Rule> = []
        var longestTrace = 0
    }

    @Test func agreesOnEverything() async throws {
        let entries = try FlagCombinations().creatable
        let found = try await withThrowingTaskGroup(of: Findings.self) { group in
            for shard in 0..<8 {
                group.addTask {
                    var findings = Findings()
                    for index in stride(from: shard, to: entries.count, by: 8) {
                        try compare(entries[index], &findings)
                    }
                    return findings
                }
            }
            return try await group.reduce(into: Findings()) { all, part in
                all.met += part.met
                all.compared += part.compared
                all.differ += part.differ
                all.examples += part.examples
                all.fired.formUnion(part.fired)
                all.longestTrace = max(all.longestTrace, part.longestTrace)
            }
        }
        print(
            "second evaluator: \(found.compared) of \(found.met) pairs over \(entries.count) demands, "
                + "\(found.differ) differ")
        #expect(found.differ == 0, "\(found.examples.prefix(5).joined(separator: "\n"))")
        #expect(found.compared > 1_000_000)
        #expect(found.longestTrace <= 10, "the trace holds 16")

        // The rules that no request can fire, or no request of this enumeration.
        let elsewhere = Rule.allCases.filter { rule in
            rule.facts.effect == .refuses || rule.identifier.hasPrefix("sheet.")
                || [.itemNotFound, .itemUnbound, .groupTokenReadOnly, .evidenceExpired, .addSynchronizableThisDevice]
                    .contains(rule)
        }
        #expect(found.fired == Set(Rule.allCases).subtracting(elsewhere))
    }
}

private func compare(_ entry: FlagCombinations.Entry, _ findings: inout SecondEvaluatorTests.Findings) throws {
    let naive = try NaiveEvaluator()
    let bridge = try Bridge(naive)
    let calls = Dictionary(uniqueKeysWithValues: naive.calls.map { ($0.name, $0) })
    let actions = Dictionary(uniqueKeysWithValues: Action.allCases.map { ("\($0)", $0) })

    func compare(in accessibility: Accessibility, _ walk: (Space.Visit) -> Void) throws {
        let policy = try naive.policy(flags: entry.names, protectionClass: accessibility.rawValue)
        let control = try entry.control(accessibility)
        walk { facts, name in
            findings.met += 1
            guard DaySample.takesScattered(findings.met, oneIn: 8) else { return }
            guard let call = calls[name], let action = actions[name] else {
                preconditionFailure("calls.tsv and the actions do not have the same names: \(name)")
            }
            let conditions = bridge.conditions(facts)
            let request = bridge.request(control, action, facts, conditions)
            var trace = Trace()
            let traced = decide(request, under: conditions, into: &trace)
            let decision = decide(request, under: conditions)
            let expected = naive.answer(policy, call, facts)
            let actual = bridge.answer(decision)
            findings.compared += 1
            findings.fired.formUnion(trace)
            findings.longestTrace = max(findings.longestTrace, trace.count)
            if actual != expected || traced != decision || !isTold(by: trace, decision) {
                findings.differ += 1
                guard findings.examples.count < 2 else { return }
                findings.examples.append(
                    "\(control), \(name): engine \(actual), tables \(expected), trace \(Array(trace)), \(facts)")
            }
        }
    }

    try compare(in: .whenUnlocked) { Space.proving(entry, $0) }
    try compare(in: .afterFirstUnlock) { Space.choosing(entry, naive.calls.map(\.name), $0) }
    for accessibility in Accessibility.allCases {
        try compare(in: accessibility) { Space.calling(entry, naive.calls.map(\.name), $0) }
        try compare(in: accessibility) { Space.storing(entry, $0) }
    }
}

/// Returns true if the trace contains the rule behind the decision.
private func isTold(by trace: Trace, _ decision: Decision) -> Bool {
    guard let last = trace.last else { return false }
    switch decision {
    case .granted: return last.facts.effect == .allows
    case .challenge: return last == .authenticationNeeded
    case .denied(let denial): return last == denial.rule || trace.contains(denial.rule)
    }
}
