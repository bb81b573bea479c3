internal import AccessPolicy
internal import DeviceModel
internal import Latchkey
internal import ScenarioFormat
internal import SecretVault
internal import Synchronization

extension Stage {
    /// What came of a step that was expected to come out otherwise.
    func findings(of step: Step, _ outcome: Outcome) -> [Finding] {
        let position = step.expectation?.position ?? step.position
        var findings: [Finding] = []
        func find(_ expected: String, _ actual: String) {
            findings.append(Finding(position: position, expected: expected, actual: actual))
        }
        if case .broken(let what) = outcome.verdict {
            find("that the parts under it work", what)
            return findings
        }
        if !outcome.isRightSecret { find("the secret that was stored", "other bytes") }
        guard let expected = step.expectation else {
            if !outcome.succeeded { find("that it succeeds, as nothing else is said", outcome.inWords) }
            return findings
        }
        if let fault = expected.fault(of: outcome) { find(fault, outcome.inWords) }
        expected.compare(outcome, find)
        do throws(KeychainError) { try look(expected, outcome, find) } catch {
            find("that the parts under it work", "\(error)")
        }
        return findings
    }

    /// How things stand after the step.
    private func look(_ expected: Expectation, _ outcome: Outcome, _ find: (String, String) -> Void)
        throws(KeychainError)
    {
        if let found = expected.found, Set(found) != Set(outcome.found ?? []) || outcome.foundUnnamed > 0 {
            let others = outcome.foundUnnamed == 0 ? "" : ", and \(outcome.foundUnnamed) that no name means"
            find("to find \(names(found))", names(outcome.found ?? []) + others)
        }
        for (place, state) in expected.items {
            let actual = try itemState(place)
            let isSo = state == .gone ? actual != .present : actual == state
            if !isSo { find("\(scenario.items[place].name) to be \(state.rawValue)", actual.rawValue) }
        }
        if let change = expected.domainState {
            let hash = try keychain.enrollmentHash
            let former = state.withLock { state in
                defer { state.domainState = hash }
                return state.domainState
            }
            let actual: DomainStateChange = hash == nil ? .none : hash == former ? .same : .changed
            if actual != change { find("the domain state: \(change.rawValue)", actual.rawValue) }
        }
        if let state = expected.device { try look(state, find) }
    }

    private func names(_ places: [Int]) -> String {
        places.isEmpty ? "nothing" : places.map { scenario.items[$0].name }.sorted().joined(separator: ", ")
    }

    private func itemState(_ place: Int) throws(KeychainError) -> ItemState {
        // It is itself also where its attributes, and so what it is found by, have become others.
        let known = state.withLock { $0.items.identifiers[place] }
        guard let isInvalidated = try keychain.isInvalidated(known.map { .id($0) } ?? reference(place)) else {
            return .absent
        }
        return isInvalidated ? .lost : .present
    }

    private func look(
        _ expected: Expectation.DeviceState, _ find: (String, String) -> Void
    ) throws(KeychainError) {
        let device = try keychain.device
        func compare(_ what: String, _ wanted: Bool?, _ actual: Bool) {
            if let wanted, wanted != actual { find("the device: \(what) \(wanted)", "\(actual)") }
        }
        compare("locked", expected.isLocked, device.isLocked)
        compare("firstUnlock", expected.hasFirstUnlock, device.hasFirstUnlock)
        compare("passcodeSet", expected.hasPasscode, device.passcode != nil)
        compare("lockedOut", expected.isLockedOut, device.isLockedOut)
        compare("passcodeRequired", expected.isPasscodeRequired, !device.passcodeReasons.isEmpty)
        compare("disabled", expected.isDisabled, device.isDisabled)
        let enrolled = try keychain.enrolledNames
        if let wanted = expected.enrolled, Set(wanted) != Set(enrolled) {
            find(
                "enrolled: \(wanted.joined(separator: ", "))",
                enrolled.isEmpty ? "nobody" : enrolled.joined(separator: ", "))
        }
    }
}

extension Expectation {
    /// What was expected to come of it; nil where that came.
    fileprivate func fault(of outcome: Outcome) -> String? {
        switch (verdict, outcome.verdict) {
        case (.anything, _): return nil
        case (nil, _): return outcome.succeeded ? nil : "that it succeeds, as nothing else is said"
        case (.granted, .granted(let way, let reuses)):
            if let wanted = self.way, Set(wanted) != Set(way) { return "granted by \(Ways(FactorSet(wanted)))" }
            if let reusesUnlock, reusesUnlock != reuses {
                return reusesUnlock ? "an unlock to be reused" : "no unlock to be reused"
            }
            return nil
        case (.granted, _): return "granted"
        case (.denied, .denied(let denial)):
            if let rule, rule != denial.rule { return "denied by \(rule.identifier)" }
            return flips.lazy.compactMap { $0.fault(of: denial, asked: outcome.waysAsked) }.first
        // What is not understood is denied by no rule, and turned by nothing: only its number can be expected.
        case (.denied, .faulty) where status != nil && rule == nil && flips.isEmpty: return nil
        case (.denied, _): return rule.map { "denied by \($0.identifier)" } ?? "denied"
        case (.refused, .refused(let reason)): return refusal.flatMap { $0 == reason ? nil : "refused: \($0)" }
        case (.refused, .wrong) where refusal == nil: return nil
        case (.refused, _): return refusal.map { "refused: \($0)" } ?? "refused"
        case (.happens, .happened): return nil
        case (.happens, _): return "that it happens"
        }
    }

    private static func inWords(_ count: Int, ifOne one: String) -> String {
        count == 0 ? "none" : count == 1 ? one : "\(count)"
    }

    /// The numbers and the prompts.
    fileprivate func compare(_ outcome: Outcome, _ find: (String, String) -> Void) {
        if let status, status != outcome.status {
            find(status.name, outcome.status?.name ?? "no OSStatus")
        }
        if let laError, laError != outcome.laError {
            find("LAError.\(laError.name)", outcome.laError.map { "LAError.\($0.name)" } ?? "no LAError")
        }
        let asked = outcome.prompts
        switch prompts {
        case .exactly(let factors) where factors != asked: find("prompts: \(factors.inWords)", asked.inWords)
        case .count(let count) where count != asked.count: find("\(count) prompts", "\(asked.count): \(asked.inWords)")
        case .atMost(let most) where asked.count > most:
            find("at most \(most) prompts", "\(asked.count): \(asked.inWords)")
        default: break
        }
        if let permissionAlerts, permissionAlerts != outcome.permissionAlerts {
            find("\(permissionAlerts) questions for leave to use biometry", "\(outcome.permissionAlerts)")
        }
        switch secret {
        case .text(let text) where outcome.secrets != [Array(text.utf8)]:
            find("the secret that is said", Self.inWords(outcome.secrets.count, ifOne: "another"))
        case .some(Expectation.Secret.none) where !outcome.secrets.isEmpty:
            find("no secret", Self.inWords(outcome.secrets.count, ifOne: "one"))
        default: break
        }
    }
}

extension Expectation.Flip {
    /// What the denial was expected to say of what would turn it.
    ///
    /// A prompt that ends in a denial says to prove what is asked for: that is what it asked for.
    fileprivate func fault(of denial: Denial, asked: Ways) -> String? {
        switch self {
        case .remedy(let remedy):
            return denial.rule.remedy == remedy ? nil : "a denial that is turned by: \(remedy)"
        case .factor(let factor):
            let ways = denial.ways.isEmpty && denial.rule.remedy == .authenticate ? asked : denial.ways
            return ways.contains { $0.contains(factor) } ? nil : "a denial that is turned by proving \(factor.name)"
        case .step: return nil  // that is tried
        }
    }
}

extension [Factor] {
    package var inWords: String { isEmpty ? "none" : map(\.name).joined(separator: ", ") }
}

extension FactorSet {
    init(_ factors: [Factor]) { self = factors.reduce(into: []) { $0.insert($1) } }
}

extension Outcome {
    /// The ways that somebody was asked to prove at last.
    fileprivate var waysAsked: Ways {
        for watched in decisions.reversed() {
            if case .challenge(let ways) = watched.decision { return ways }
        }
        return Ways()
    }

    /// What came of it, in a few words.
    package var inWords: String {
        switch verdict {
        case .granted(let way, let reuses):
            way.isEmpty ? "granted" : "granted by \(Ways(way))\(reuses ? ", reused" : "")"
        case .denied(let denial): "denied by \(denial.rule.identifier)"
        case .faulty(let what): "not understood: \(what)"
        case .happened: "it happened"
        // The word that a file would use, and what it means.
        case .refused(let refusal): "refused: \(refusal), \(refusal.text)"
        case .wrong: "not the right one"
        case .broken(let what): what
        }
    }
}
