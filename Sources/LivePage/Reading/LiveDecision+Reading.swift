package import AccessPolicy
package import SecretVault

extension LiveDecision {
    package init(_ watched: WatchedDecision) {
        let (verdict, ways, denial): (LiveVerdict, Ways, Denial?) =
            switch watched.decision {
            case .granted(let grant): (.granted, grant.way.isEmpty ? Ways() : Ways(grant.way), nil)
            case .challenge(let ways): (.challenged, ways, nil)
            case .denied(let denial): (.denied, denial.ways, denial)
            }
        let isPreflight = watched.request.interaction == .preflight
        self.init(
            about: watched.request.inWords + (isPreflight ? " (preflight)" : ""), app: watched.caller, verdict: verdict,
            ways: ways.map { "\(Ways($0))" }, rules: watched.trace.map { LiveRule($0.facts) },
            reason: denial?.rule.summary, remedy: denial.flatMap { Self.remedy($0.rule.remedy) })
    }

    package init(_ decision: FileDecision, about words: String) {
        self.init(
            about: words, app: nil, verdict: decision.isGranted ? .granted : .denied, ways: [],
            rules: [LiveRule(decision.rule.facts)],
            reason: decision.isGranted ? nil : decision.rule.summary,
            remedy: decision.isGranted ? nil : Self.remedy(decision.rule.remedy))
    }

    private static func remedy(_ remedy: Remedy) -> String? { remedy == .nothing ? nil : remedy.text }
}

extension LiveRule {
    init(_ facts: RuleFacts) {
        self.init(id: facts.identifier, says: facts.summary, source: facts.source)
    }
}

extension FileAccess {
    /// The access, in words that end before the name of the file.
    package var inWords: String {
        switch self {
        case .create(let protection): "create a \(protection) file"
        case .open(let protection): "open a \(protection) file"
        case .use(let protection): "use an open \(protection) file"
        case .protect(let former, let next): "move a \(former) file to \(next):"
        case .manage(let protection): "manage a \(protection) file"
        }
    }
}

extension Request {
    /// The subject of the request, in words.
    package var inWords: String {
        switch subject {
        case .item(let item, let action, _): "\(action) of an item (\(item.control))"
        case .missing(let action, _, _): "\(action) of an item that does not exist"
        case .policy(let policy): "policy \(policy)"
        case .accessControl(let control, let operation):
            "access control (\(control)) for \(operation.map { "\($0)" } ?? "storing")"
        }
    }
}
