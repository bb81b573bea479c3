internal import AccessPolicy
internal import PlainText
internal import PolicyProver

extension ScenarioReader {
    /// Returns the claims of the document, after reading the attackers that it declares.
    mutating func claims() -> [ClaimSetup] {
        readAttackers()
        let nodes = document["claims"]?.elements ?? []
        if document["claims"] != nil && nodes.isEmpty {
            mistakes.add(document.position, "\"claims\" is empty: add a claim or remove the key")
        }
        if !nodes.isEmpty,
            let grace = document["device"]?["lockGrace"] ?? document["devices"]?.entries.first?.value["lockGrace"],
            let length = grace.text.flatMap({ TimeSpan(written: $0) }), length > Self.longestGrace
        {
            mistakes.add(grace.position, "claims need a lockGrace of at most 36500d")
        }
        return nodes.compactMap { claim($0) }
    }

    /// The longest lock grace, which leaves the prover's clock room for many of them.
    private static var longestGrace: TimeSpan { .hours(24 * 36_500) }

    private mutating func readAttackers() {
        for entry in document["attackers"]?.entries ?? [] {
            if attackers.contains(where: { $0.name == entry.key }) {
                mistakes.add(
                    entry.position, "\"\(Terminal.word(entry.key))\" is a built-in attacker: choose another name")
                continue
            }
            if !entry.key.isKebabCase {
                mistakes.add(
                    entry.position,
                    "the name of an attacker has only small letters, digits and single hyphens, as in night-guard")
            }
            let node = entry.value
            var profile = Profile(name: entry.key, summary: "", holds: .locked)
            if let like = node["like"] {
                if let model = attacker(like) { profile = model }
            } else if node["holds"] == nil {
                mistakes.add(entry.position, "an attacker needs \"holds\", or \"like\" to copy it")
            } else if node["can"] == nil {
                // Against an attacker who can do nothing, nearly every claim holds, so that has to be explicit.
                mistakes.add(
                    entry.position,
                    "an attacker needs \"can\", or \"like\" to copy it; write can: [] for one who can do nothing")
            }
            profile.name = entry.key
            profile.summary = node["about"]?.text ?? profile.summary
            if let knows = node["knows"] { profile.knows = Self.set(knows, Vocabulary.knowledge) }
            if let carries = node["carries"] { profile.carries = Self.set(carries, Vocabulary.belongings) }
            if let can = node["can"] { profile.can = Self.set(can, Vocabulary.abilities) }
            if let said = HoldWord.all.first(where: { $0.word == node["holds"]?.text }) {
                profile.holds = said.hold
                profile.assumes.held = said.held
            }
            state([.deletes, .contexts], of: node, in: &profile.assumes)
            if let time = node["time"]?.text { profile.time = TimeSpan(written: time) }
            if let other = node["fromOtherGroup"]?.text { profile.asksFromOtherGroup = other == "true" }
            attackers.append(profile)
        }
    }

    /// Adds those of `assumptions` that `node` states to `stated`.
    private func state(_ assumptions: [Assumption], of node: Node, in stated: inout Assumptions.Stated) {
        for assumption in assumptions {
            if let word = node[assumption.rawValue]?.text { _ = assumption.state(word, in: &stated) }
        }
    }

    private static func set<Value, Bits>(_ node: Node, _ words: [(String, Value)]) -> BitSet<Value, Bits> {
        node.elements.reduce(into: []) { set, element in
            if let value = Vocabulary.value(of: element.text, in: words) { set.insert(value) }
        }
    }

    /// Returns the attacker that `node` names. Reports a mistake if there is none.
    private mutating func attacker(_ node: Node) -> Profile? {
        let name = node.text ?? ""
        if let profile = attackers.first(where: { $0.name == name }) { return profile }
        if !mistakes.isFull {
            mistakes.add(node.position, Shape.unknown("attacker", name, among: attackers.map(\.name)))
        }
        return nil
    }

    // MARK: - Claims

    private mutating func claim(_ node: Node) -> ClaimSetup? {
        guard case .record(let record) = Format.claim, let key = record.action(of: node)?.field.key,
            let kind = ClaimKind(rawValue: key), let value = node[key]
        else { return nil }
        if let aim = Vocabulary.value(of: value.text, in: Vocabulary.aims), aim.isAboutFile, kind.hasAim {
            return claim(kind, about: aim, value, node)
        }
        if let file = node["file"] {
            mistakes.add(
                file.position,
                "this claim is about an item: write \"item\" instead, or claim \(Self.fileAims) about the file")
            return nil
        }
        let saysItem = [.goneAfterEnrollmentChange, .endsWithRemoval].contains(kind) && !value.isNothing
        if saysItem, let item = node["item"] {
            mistakes.add(item.position, "\"\(key)\" names the item already: remove \"item\"")
        }
        let named = saysItem ? value : node["item"]
        guard let statement = statement(kind, value, node), let item = claimed(named, in: node) else { return nil }
        var assumes = Assumptions.Stated()
        state(Assumption.allCases, of: node, in: &assumes)
        if let fault = statement.fault(of: assumes), let held = node[Assumption.holds.rawValue] {
            mistakes.add(held.position, fault)
        }
        let isMisread = document["items"]?[items[item].name].map(isMisread) ?? false
        if !isMisread, let aim = statement.aim, let fault = items[item].fault(of: aim) {
            mistakes.add(value.position, fault)
        }
        return ClaimSetup(
            position: node.position, statement: statement, item: item,
            reuse: node["reuse"]?.text.flatMap { TimeSpan(written: $0) } ?? .zero,
            assumes: assumes, expectsHold: node["expect"]?.text != "fails")
    }

    /// The aims at files, for messages.
    private static let fileAims = Aim.ofFiles.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")

    /// Returns a claim about a file.
    private mutating func claim(_ kind: ClaimKind, about aim: Aim, _ value: Node, _ node: Node) -> ClaimSetup? {
        if let item = node["item"] {
            mistakes.add(item.position, "\"\(aim.rawValue)\" is about a file: write \"file\" instead of \"item\"")
            return nil
        }
        guard let statement = statement(kind, value, node), let file = claimedFile(node["file"], in: node) else {
            return nil
        }
        var assumes = Assumptions.Stated()
        state(Assumption.allCases, of: node, in: &assumes)
        if let fault = statement.fault(of: assumes), let held = node[Assumption.holds.rawValue] {
            mistakes.add(held.position, fault)
        }
        return ClaimSetup(
            position: node.position, statement: statement, item: file, reuse: .zero, assumes: assumes,
            expectsHold: node["expect"]?.text != "fails")
    }

    /// Returns the index of the file that a claim is about, which has to exist at the beginning.
    private mutating func claimedFile(_ named: Node?, in node: Node) -> Int? {
        let place: Int
        if let named {
            guard let known = filePlaces[named.text ?? ""] else {
                _ = file(named)
                return nil
            }
            place = known
        } else if files.count == 1 {
            place = 0
        } else {
            let names = files.prefix(30).map(\.name).joined(separator: ", ")
            mistakes.add(
                node.position,
                files.isEmpty
                    ? "this claim is about a file: declare one under \"files\""
                    : "this claim is about one file: add \"file\" with one of \(names)")
            return nil
        }
        if !files[place].isStored {
            mistakes.add(
                node.position,
                "\(Terminal.word(files[place].name)) has \"stored: false\": a claim needs a file that exists at the beginning"
            )
            return nil
        }
        return place
    }

    private mutating func statement(_ kind: ClaimKind, _ value: Node, _ node: Node) -> Claim.Statement? {
        let aim = Vocabulary.value(of: value.text, in: Vocabulary.aims)
        switch kind {
        case .never:
            guard let against = profile("against", in: node, kind), let aim else { return nil }
            return .never(aim, against: against)
        case .eventuallyCan:
            guard let by = profile("by", in: node, kind, unlessSaid: .owner), let aim else { return nil }
            return .eventuallyCan(aim, by: by)
        case .alwaysCan:
            guard let by = profile("by", in: node, kind, unlessSaid: .owner),
                let against = profile("against", in: node, kind), let aim
            else { return nil }
            return .alwaysCan(aim, by: by, against: against)
        case .goneAfterEnrollmentChange: return .goneAfterEnrollmentChange
        case .endsWithRemoval:
            guard let against = profile("against", in: node, kind) else { return nil }
            return .endsWithRemoval(against: against)
        case .atMostPrompts:
            let words = node["workflow"]?.elements ?? []
            let workflow = words.compactMap { Vocabulary.value(of: $0.text, in: ClaimWords.workflow) }
            // A word that is no request is a mistake already.
            if words.isEmpty {
                mistakes.add(node.position, "\"\(kind.rawValue)\" needs \"workflow\": the requests, in order")
            }
            guard let by = profile("by", in: node, kind, unlessSaid: .owner),
                let count = value.text.flatMap({ Int($0) })
            else { return nil }
            return .atMostPrompts(count, for: workflow, by: by)
        }
    }

    /// Returns the person that `key` of a claim names, or `usual` if it names none.
    private mutating func profile(
        _ key: String, in node: Node, _ kind: ClaimKind, unlessSaid usual: Profile? = nil
    ) -> Profile? {
        if let name = node[key] { return attacker(name) }
        if usual == nil { mistakes.add(node.position, "\"\(kind.rawValue)\" needs \"\(key)\": the attacker") }
        return usual
    }

    /// Returns the index of the item that a claim is about, which has to exist at the beginning.
    private mutating func claimed(_ named: Node?, in node: Node) -> Int? {
        let place: Int
        if let named, !named.isNothing {
            guard items.contains(where: { $0.name == named.text }) else {
                _ = item(named)
                return nil
            }
            place = item(named)
        } else if items.count == 1 {
            place = 0
        } else {
            mistakes.add(
                node.position,
                items.isEmpty
                    ? "a claim is about an item: declare one under \"items\""
                    : "a claim is about one item: add \"item\" with one of \(items.prefix(30).map(\.name).joined(separator: ", "))"
            )
            return nil
        }
        if !items[place].isStored {
            mistakes.add(
                node.position,
                "\(Terminal.word(items[place].name)) has \"stored: false\": a claim needs an item that exists at the beginning"
            )
            return nil
        }
        return place
    }
}

extension ItemSetup {
    /// Returns the message if no claim about `aim` makes sense for the item; nil if one does.
    fileprivate func fault(of aim: Aim) -> String? {
        let isKey = itemClass.isEnclaveKey(under: control)
        if aim.isOpen(toKey: isKey) { return nil }
        return isKey
            ? "\(Terminal.word(name)) is a private key, which can be used but not read: claim \"use\" instead"
            : "\(Terminal.word(name)) is not a private key, and only a private key can be used: claim \"read\" instead"
    }
}

extension ClaimKind {
    fileprivate var hasAim: Bool {
        switch self {
        case .never, .eventuallyCan, .alwaysCan: true
        case .goneAfterEnrollmentChange, .endsWithRemoval, .atMostPrompts: false
        }
    }
}

extension String {
    /// True if the text is small letters and digits, with single hyphens between them.
    fileprivate var isKebabCase: Bool {
        !isEmpty
            && split(separator: "-", omittingEmptySubsequences: false).allSatisfy { part in
                !part.isEmpty && part.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) }
            }
    }
}
