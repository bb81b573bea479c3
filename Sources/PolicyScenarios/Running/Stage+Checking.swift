internal import AccessPolicy
internal import ApplePlatform
internal import DeviceModel
internal import Latchkey
internal import PlainText
internal import ScenarioFormat
internal import SecretVault
internal import Synchronization

extension Stage {
    /// Returns the expectations of `step` that `outcome` does not meet.
    func findings(of step: Step, _ outcome: StepOutcome) -> [UnmetExpectation] {
        let position = step.expectation?.position ?? step.position
        var findings: [UnmetExpectation] = []
        func find(_ expected: String, _ actual: String) {
            findings.append(UnmetExpectation(position: position, expected: expected, actual: actual))
        }
        if case .broken(let what) = outcome.verdict {
            find("no internal failure", what)
            return findings
        }
        if !outcome.isRightSecret { find("the stored secret", "a different secret") }
        guard let expected = step.expectation else {
            if !outcome.succeeded { find("success, because the step states no other outcome", outcome.inWords) }
            return findings
        }
        if let fault = expected.fault(of: outcome) { find(fault, outcome.inWords) }
        expected.compare(outcome, find)
        do { try look(expected, outcome, find) } catch {
            find("no internal failure", "\(error)")
        }
        return findings
    }

    /// Compares the state after the step with the expected one.
    private func look(_ expected: Expectation, _ outcome: StepOutcome, _ find: (String, String) -> Void)
        throws(KeychainError)
    {
        if let found = expected.found, Set(found) != Set(outcome.found ?? []) || outcome.foundUnnamed > 0 {
            let others =
                outcome.foundUnnamed == 0 ? "" : ", and \(outcome.foundUnnamed) that the scenario does not declare"
            find("to find \(names(found))", names(outcome.found ?? []) + others)
        }
        for (place, state) in expected.items {
            let actual = try itemState(place)
            let isSo = state == .gone ? actual != .present : actual == state
            if !isSo { find("\(scenario.items[place].name) to be \(state.rawValue)", actual.rawValue) }
        }
        for (place, state) in expected.files {
            let actual = fileState(place)
            if state != actual { find("\(scenario.files[place].name) to be \(state.rawValue)", actual.rawValue) }
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
        // Its identifier finds the item even after its attributes have changed.
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
                enrolled.isEmpty ? "none" : enrolled.joined(separator: ", "))
        }
    }
}

extension Expectation {
    /// Returns the expected verdict, or nil if it is the actual one.
    fileprivate func fault(of outcome: StepOutcome) -> String? {
        switch (verdict, outcome.verdict) {
        case (.anything, _): return nil
        case (nil, _): return outcome.succeeded ? nil : "success, because the step states no other outcome"
        case (.granted, .granted(let way, let reuses)):
            if let wanted = self.way, Set(wanted) != Set(way) { return "granted by \(Ways(FactorSet(wanted)))" }
            if let reusesUnlock, reusesUnlock != reuses {
                return reusesUnlock ? "a reused unlock" : "no reused unlock"
            }
            return nil
        case (.granted, _): return "granted"
        case (.denied, .denied(let denial)):
            if let fileRule { return "denied by \(fileRule.identifier)" }
            if let rule, rule != denial.rule { return "denied by \(rule.identifier)" }
            return flips.lazy.compactMap { $0.fault(of: denial, asked: outcome.waysAsked) }.first
        case (.denied, .closed(let denial)):
            if let expected = rule?.identifier ?? fileRule?.identifier, expected != denial.identifier {
                return "denied by \(expected)"
            }
            return flips.lazy.compactMap { $0.fault(of: denial) }.first
        // No rule denies an invalid request or one that a step lets fail, and neither has a remedy. So a file can expect only
        // its status.
        case (.denied, .faulty) where status != nil && rule == nil && flips.isEmpty,
            (.denied, .failed) where status != nil && rule == nil && flips.isEmpty:
            return nil
        case (.denied, _):
            return (rule?.identifier ?? fileRule?.identifier).map { "denied by \($0)" } ?? "denied"
        case (.refused, .refused(let reason)):
            return refusal == reason || refusal == nil && accountRefusal == nil ? nil : refusedInWords
        case (.refused, .refusedByAccount(let reason)):
            return accountRefusal == reason || refusal == nil && accountRefusal == nil ? nil : refusedInWords
        case (.refused, .wrong) where refusal == nil && accountRefusal == nil: return nil
        case (.refused, _): return refusedInWords
        case (.happens, .happened): return nil
        case (.happens, _): return "the event to happen"
        }
    }

    private var refusedInWords: String {
        (refusal?.name ?? accountRefusal?.name).map { "refused: \($0)" } ?? "refused"
    }

    private func movesAsExpected(_ outcome: StepOutcome) -> Bool { moved == outcome.movements.map { $0.rule } }

    private static func inWords(_ moved: [SyncRule]) -> String {
        "moved: " + (moved.isEmpty ? "nothing" : moved.map(\.identifier).joined(separator: ", "))
    }

    /// Returns the expectations about the account that `outcome` meets, in words.
    func metAboutAccount(_ outcome: StepOutcome) -> [String] {
        var met: [String] = []
        if accountRefusal != nil, fault(of: outcome) == nil { met.append(refusedInWords) }
        if let moved, movesAsExpected(outcome) { met.append(Self.inWords(moved)) }
        return met
    }

    private static func inWords(_ count: Int, ifOne one: String) -> String {
        count == 0 ? "none" : count == 1 ? one : "\(count)"
    }

    /// Compares the statuses, the prompts and the secrets.
    fileprivate func compare(_ outcome: StepOutcome, _ find: (String, String) -> Void) {
        if let status, status != outcome.status {
            find(status.name, outcome.status?.name ?? "no OSStatus")
        }
        if let laError, laError != outcome.laError {
            find("LAError.\(laError.name)", outcome.laError.map { "LAError.\($0.name)" } ?? "no LAError")
        }
        if let moved, !movesAsExpected(outcome) {
            let words = outcome.movements.map { $0.rule.identifier }.joined(separator: ", ")
            find(Self.inWords(moved), words.isEmpty ? "nothing moved" : words)
        }
        let asked = outcome.prompts
        switch prompts {
        case .exactly(let factors) where factors != asked: find("prompts: \(factors.inWords)", asked.inWords)
        case .count(let count) where count != asked.count:
            find(counted(count, "prompt"), "\(asked.count): \(asked.inWords)")
        case .atMost(let most) where asked.count > most:
            find("at most \(counted(most, "prompt"))", "\(asked.count): \(asked.inWords)")
        default: break
        }
        if let permissionAlerts, permissionAlerts != outcome.permissionAlerts {
            find(counted(permissionAlerts, "permission alert"), "\(outcome.permissionAlerts)")
        }
        switch secret {
        case .text(let text) where outcome.secrets != [Array(text.utf8)]:
            find("the secret that the step expects", Self.inWords(outcome.secrets.count, ifOne: "a different one"))
        case .some(Expectation.Secret.none) where !outcome.secrets.isEmpty:
            find("no secret", Self.inWords(outcome.secrets.count, ifOne: "one"))
        default: break
        }
    }
}

extension Expectation.Flip {
    /// Returns the remedy that the denial was expected to name, or nil if it names that one.
    ///
    /// A denial at the end of a prompt names no factors, so the factors of its prompt count instead.
    fileprivate func fault(of denial: Denial, asked: Ways) -> String? {
        switch self {
        case .remedy(let remedy):
            return denial.rule.remedy == remedy ? nil : "a denial that flips with: \(remedy)"
        case .factor(let factor):
            let ways = denial.ways.isEmpty && denial.rule.remedy == .authenticate ? asked : denial.ways
            return ways.contains { $0.contains(factor) } ? nil : "a denial that flips with \(factor.name)"
        case .step: return nil  // The run tries such a step.
        }
    }

    /// Returns the remedy that the denial of an access to a file was expected to name, or nil if it names that one.
    fileprivate func fault(of denial: FileRule) -> String? {
        switch self {
        case .remedy(let remedy): denial.remedy == remedy ? nil : "a denial that flips with: \(remedy)"
        case .factor(let factor): "a denial that flips with \(factor.name)"
        case .step: nil
        }
    }
}

extension [Factor] {
    /// The names of the factors in one line, or "none".
    package var inWords: String { isEmpty ? "none" : map(\.name).joined(separator: ", ") }
}

extension FactorSet {
    init(_ factors: [Factor]) { self = factors.reduce(into: []) { $0.insert($1) } }
}

extension StepOutcome {
    /// The combinations of factors that the last prompt of the step asked for.
    fileprivate var waysAsked: Ways {
        for watched in decisions.reversed() {
            if case .challenge(let ways) = watched.decision { return ways }
        }
        return Ways()
    }

    /// The verdict in a few words.
    package var inWords: String {
        switch verdict {
        case .granted(let way, let reuses):
            way.isEmpty ? "granted" : "granted by \(Ways(way))\(reuses ? ", reused" : "")"
        case .denied(let denial): "denied by \(denial.rule.identifier)"
        case .closed(let rule): "denied by \(rule.identifier)"
        case .faulty(let what): "invalid request: \(what)"
        case .failed: "failed, because a step before lets it fail"
        case .happened: "happened"
        // The word for the refusal in a scenario file, and its meaning.
        case .refused(let refusal): "refused: \(refusal), \(refusal.text)"
        case .refusedByAccount(let refusal): "refused: \(refusal), \(refusal.text)"
        case .wrong: "wrong passcode or biometry"
        case .broken(let what): what
        }
    }
}
