internal import AccessPolicy
internal import ApplePlatform
internal import DeviceModel
internal import PolicyWords

extension ScenarioReader {
    /// Reads the expectation of a step that does `deed`.
    mutating func expectation(_ node: Node, of deed: StepDeed) -> Expectation {
        var expected = Expectation(position: node.position)
        if let text = node.text {
            word(text, &expected)
        } else {
            verdict(node, &expected)
            details(node, &expected)
        }
        requireFitting(expected, deed, node)
        return expected
    }

    /// Reads an outcome in one word: a verdict, the rule of a denial, or a status. Any other word sets no verdict.
    private func word(_ text: String, _ expected: inout Expectation) {
        switch text {
        case "granted": expected.verdict = .granted
        case "denied": expected.verdict = .denied
        case "refused": expected.verdict = .refused
        case "happens": expected.verdict = .happens
        case "anything": expected.verdict = .anything
        default:
            if let rule = Rule(identifier: text) {
                expected.verdict = .denied
                expected.rule = rule
            } else if let rule = FileRule(identifier: text) {
                expected.verdict = .denied
                expected.fileRule = rule
            } else if let status = Vocabulary.value(of: text, in: Vocabulary.statuses) {
                expected.status = status
                expected.verdict = status == .success ? .granted : .denied
            }
        }
    }

    private mutating func verdict(_ node: Node, _ expected: inout Expectation) {
        let verdicts = node.entries.filter { Format.verdicts.contains($0.key) }
        if verdicts.count > 1 {
            mistakes.add(
                verdicts[1].position,
                "\"\(verdicts[1].key)\" contradicts \"\(verdicts[0].key)\": keep one of them")
        }
        if let granted = node["granted"] {
            expected.verdict = .granted
            if !granted.isNothing { expected.way = factors(granted) }
        }
        if let denied = node["denied"] {
            expected.verdict = .denied
            expected.rule = denied.text.flatMap { Rule(identifier: $0) }
            expected.fileRule = denied.text.flatMap { FileRule(identifier: $0) }
        }
        if let refused = node["refused"] {
            expected.verdict = .refused
            expected.refusal = Vocabulary.value(of: refused.text, in: Vocabulary.refusals)
            expected.accountRefusal = Vocabulary.value(of: refused.text, in: Vocabulary.accountRefusals)
        }
        if node["happens"] != nil { expected.verdict = .happens }
        if let moved = node["moved"] {
            expected.moved = moved.elements.compactMap { $0.text.flatMap { SyncRule(identifier: $0) } }
        }
    }

    private mutating func details(_ node: Node, _ expected: inout Expectation) {
        expected.reusesUnlock = node["reusesUnlock"]?.text.map { $0 == "true" }
        expected.status = Vocabulary.value(of: node["status"]?.text, in: Vocabulary.statuses)
        expected.laError = Vocabulary.value(of: node["laError"]?.text, in: Vocabulary.laErrors)
        if expected.verdict == nil, let status = expected.status {
            expected.verdict = status == .success ? .granted : .denied
        }
        if expected.verdict == nil && expected.laError != nil { expected.verdict = .denied }
        expected.prompts = node["prompts"].map { prompts($0) }
        expected.permissionAlerts = node["permissionAlerts"]?.text.flatMap { Int($0) }
        if let secret = node["secret"]?.text {
            expected.secret = secret == "none" ? Expectation.Secret.none : .text(secret)
        }
        expected.found = node["found"]?.elements.map { item($0) }
        for entry in node["items"]?.entries ?? [] {
            let name = Node(content: .text(entry.key, isPlain: true), position: entry.position)
            if let state = entry.value.text.flatMap({ ItemState(rawValue: $0) }) {
                expected.items.append((item(name), state))
            }
        }
        expected.files = fileStates(node["files"])
        expected.domainState = node["domainState"]?.text.flatMap { DomainStateChange(rawValue: $0) }
        expected.device = node["device"].map { deviceState($0) }
        expected.flips = (node["flips-with"]?.elements ?? []).map { flip($0) }
    }

    private func factors(_ node: Node) -> [Factor] {
        node.elements.compactMap { Vocabulary.value(of: $0.text, in: Vocabulary.factors) }
    }

    private func prompts(_ node: Node) -> Expectation.Prompts {
        if let most = node["at most"]?.text.flatMap({ Int($0) }) { return .atMost(most) }
        if node.text == "none" { return .exactly([]) }
        return node.text.flatMap { Int($0) }.map { .count($0) } ?? .exactly(factors(node))
    }

    private func deviceState(_ node: Node) -> Expectation.DeviceState {
        func truth(_ key: String) -> Bool? { node[key]?.text.map { $0 == "true" } }
        return Expectation.DeviceState(
            isLocked: truth("locked"), hasFirstUnlock: truth("firstUnlock"), hasPasscode: truth("passcodeSet"),
            isLockedOut: truth("lockedOut"), isPasscodeRequired: truth("passcodeRequired"),
            isDisabled: truth("disabled"), enrolled: node["enrolled"]?.elements.compactMap(\.text))
    }

    private mutating func flip(_ node: Node) -> Expectation.Flip {
        if let factor = Vocabulary.value(of: node.text, in: Vocabulary.factors) { return .factor(factor) }
        if let remedy = Vocabulary.value(of: node.text, in: Vocabulary.remedies) { return .remedy(remedy) }
        return .step(step(node))
    }

    /// Reports expectations that can never hold of such a step, and those that can never fail.
    private mutating func requireFitting(_ expected: Expectation, _ deed: StepDeed, _ node: Node) {
        requireFittingVerdict(expected, deed, node)
        func refuse(_ keys: String..., because why: String) {
            for entry in node.entries where keys.contains(entry.key) {
                mistakes.add(entry.position, "\"\(entry.key)\" has no effect here: \(why)")
            }
        }
        if !deed.asks {
            refuse("prompts", "permissionAlerts", "reusesUnlock", because: "this step never shows a prompt")
        }
        // A misspelled key or value may have meant any verdict, and is reported already.
        let isMisread =
            expected.verdict == nil
            && (node["status"] != nil || node["laError"] != nil || node.entries.contains { !Format.expects($0.key) })
        if deed.asks && expected.verdict != .granted && !isMisread {
            refuse("reusesUnlock", because: "it needs \"granted\" beside it")
        }
        if expected.verdict != .denied && !isMisread {
            refuse("flips-with", because: "it needs a denial: add \"denied\"")
        }
        if !deed.returnsSecrets { refuse("secret", because: "only a read or a query returns a secret") }
        if !deed.finds { refuse("found", because: "only a query finds items") }
        requireFittingRule(expected, deed, node)
        if case .evaluate = deed, expected.status != nil {
            mistakes.add(node.position, "an evaluation ends with an LAError, not an OSStatus: use \"laError\"")
        }
    }

    /// Reports a rule about items at a step with a file, and the reverse. Such a step gets no status either.
    private mutating func requireFittingRule(_ expected: Expectation, _ deed: StepDeed, _ node: Node) {
        let place = node["denied"]?.position ?? node.position
        guard case .file = deed else {
            if let rule = expected.fileRule {
                mistakes.add(place, "\(rule.identifier) is about files: only a step with a file is denied by it")
            }
            return
        }
        if let rule = expected.rule {
            mistakes.add(place, "\(rule.identifier) is about items: no step with a file is denied by it")
        }
        if expected.status != nil || expected.laError != nil {
            let place = node["status"]?.position ?? node["laError"]?.position ?? node.position
            mistakes.add(place, "a step with a file ends with no OSStatus or LAError: use the name of a rule")
        }
    }

    private mutating func requireFittingVerdict(_ expected: Expectation, _ deed: StepDeed, _ node: Node) {
        guard let verdict = expected.verdict else { return }
        let isOfEvents = verdict == .refused || verdict == .happens
        switch deed {
        case .request, .file, .evaluate, .createControl:
            if isOfEvents {
                mistakes.add(node.position, "a request is granted or denied; only an event happens or is refused")
            }
        case .event(.hold), .invalidate, .fail, .look:
            if verdict != .happens {
                mistakes.add(node.position, "this step always happens: it is never granted, denied or refused")
            }
        case .event, .account:
            if verdict != .anything && !isOfEvents {
                mistakes.add(node.position, "an event happens or is refused; only a request is granted or denied")
            }
        }
    }
}

extension StepDeed {
    /// True if the step may show a prompt.
    fileprivate var asks: Bool {
        switch self {
        case .request, .evaluate: true
        case .file, .invalidate, .createControl, .event, .account, .fail, .look: false
        }
    }

    /// True if the step may return secrets.
    fileprivate var returnsSecrets: Bool {
        guard case .request(let request) = self, ![.update, .delete].contains(request.action) else { return false }
        return switch request.target {
        case .item: request.action == .readData
        case .query: true  // Even a query for attributes: a test may expect that it returns no secret.
        }
    }

    /// True if the step may find items.
    fileprivate var finds: Bool {
        if case .request(let request) = self, case .query = request.target { true } else { false }
    }
}
