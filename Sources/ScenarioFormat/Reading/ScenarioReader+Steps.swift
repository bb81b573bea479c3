internal import AccessPolicy
internal import ApplePlatform
internal import DeviceModel
internal import Latchkey
internal import PolicyProver
internal import PolicyWords
internal import SecretVault

extension Node {
    /// Returns true if every key fits every action of `record`.
    fileprivate func hasOnlyFields(of record: Shape.Record) -> Bool {
        entries.allSatisfy { entry in record.fields.contains { $0.key == entry.key } }
    }
}

extension StepValue {
    /// Creates the value of a step from a part of a document.
    fileprivate init(_ node: Node, as form: StepForm) {
        switch node.content {
        // If the form takes a text, an empty one and `null` are texts too. A step that is one word has that word for a value.
        case .text(let text, _): self = form.acceptsNothing ? .nothing : .text(text)
        case .list(let elements): self = .texts(elements.compactMap(\.text))
        case .mapping(let entries): self = .fields(entries.map { Field($0.key, $0.value.text ?? "") })
        }
    }
}

extension ScenarioReader {
    /// Reads a step. A step under a prompt happens to the device that shows it.
    mutating func step(_ node: Node, isUnderPrompt: Bool = false) -> Step {
        let action = Format.stepRecord.action(of: node)?.field.key
        let key = node.text ?? action
        var step = Step(
            deed: key.map { deed($0, node) } ?? .look, position: node.position,
            words: Self.words(key, node, on: isUnderPrompt ? nil : firstDeviceName))
        step.by = person(node["by"])
        step.device = deviceIndex(node["on"])
        step.times = node["times"]?.text.flatMap { Int($0) } ?? 1
        // If the action is unknown, the step is reported already, and no expectation can be checked against it.
        if key != nil || node.hasOnlyFields(of: Format.stepRecord) {
            step.expectation = node["expect"].map { expectation($0, of: step.deed) }
        }
        return step
    }

    /// Returns the step in the words of the file. In a file with several devices, `device` is the first, which needs no `on`.
    private static func words(_ key: String?, _ node: Node, on device: String?) -> String {
        guard let key else { return "look" }
        var words = key
        if let value = node[key], !value.isNothing { words += " \(value.inShort)" }
        let isOfAll = AccountRow.all.first { $0.word == key }?.isOfAllDevices ?? false
        if let device = node["on"]?.text ?? (isOfAll ? nil : device) { words += " on \(device)" }
        for modifier in ["by", "app", "context"] {
            if let text = node[modifier]?.text {
                words += modifier == "context" ? " in \(text)" : " \(modifier) \(text)"
            }
        }
        for modifier in ["to", "as", "protection"] {
            if let text = node[modifier]?.text { words += " \(modifier == "to" ? modifier : "as") \(text)" }
        }
        return words
    }

    private mutating func deed(_ key: String, _ node: Node) -> StepDeed {
        let value = node[key] ?? node
        let text = value.text ?? ""
        if let action = Vocabulary.value(of: key, in: Vocabulary.requests) {
            return request(action, key, value, node)
        }
        if let request = fileRequest(key, value, node) { return .file(request) }
        switch key {
        case "evaluate", "canEvaluate":
            if let interaction = node["interaction"], interaction.text == "skip" {
                mistakes.add(interaction.position, "an evaluation has no items to skip: use allow or fail")
            }
            return .evaluate(evaluation(value, node, onlyAsks: key == "canEvaluate"))
        case "invalidate":
            invalidated.append(value)
            return .invalidate(context: text)
        case "create":
            let (protection, flags) = parts(of: value)
            return .createControl(protection, flags ?? [])
        case "fail": return Self.failure(value).map { .fail($0) } ?? .look
        // The check of the shape has reported a word that is unknown.
        default:
            if let row = AccountRow.all.first(where: { $0.word == key }) { return accountStep(row, value) }
            return Steps.all.first { $0.word == key }.map { .event(event($0, value)) } ?? .look
        }
    }

    private static func failure(_ node: Node) -> Failure? {
        if let call = node["call"]?.text, let action = Vocabulary.value(of: call, in: Vocabulary.requests) {
            // A status that is missing or misspelled is reported already.
            let status = Vocabulary.value(of: node["status"]?.text, in: Vocabulary.failingStatuses) ?? .notAvailable
            return .call(action, decrypts: call == ClaimWords.decrypting, status)
        }
        if let ending = Vocabulary.value(of: node["prompt"]?.text, in: Vocabulary.promptEndings) {
            return .prompt(ending)
        }
        return Vocabulary.value(of: node["sensor"]?.text, in: Vocabulary.sensorStates).map { .sensor(answers: $0) }
    }

    private mutating func accountStep(_ row: AccountRow, _ value: Node) -> StepDeed {
        if !hasAccount {
            mistakes.add(value.position, "\"\(row.word)\" needs several devices: declare them under \"devices\"")
            return .look
        }
        let names = ["sponsor", "of"].compactMap { value[$0] }
        let indices = names.map { ($0.position, deviceIndex($0)) }
        if let step = row.read(value, { node in indices.first { $0.0 == node?.position }?.1 }) { return .account(step) }
        // A device that is unknown is reported already.
        if indices.allSatisfy({ $0.1 != nil }) {
            mistakes.add(value.position, "\"\(row.word)\" \(row.says)")
        }
        return .look
    }

    private mutating func event(_ row: StepRow, _ value: Node) -> StepEvent {
        switch row.form {
        case .app: _ = app(value)
        case .person: _ = person(value)
        case .nothing, .duration, .passcode, .fingers, .word, .oneOf: break
        }
        do throws(StepError) { return try row.read(StepValue(value, as: row.form)) } catch {
            // The check of the shape has reported every other value that cannot be read. Any event keeps the place of the step.
            if case .oneOf = row.form, value.entries.count > 1 { mistakes.add(value.position, error.message) }
            return .lock
        }
    }

    /// Reads a step that happens under a prompt. The runner cannot replay a scenario up to a prompt, so it can try no steps there.
    private mutating func stepOfPrompt(_ node: Node) -> Step {
        let step = step(node, isUnderPrompt: true)
        if let device = node["on"] {
            mistakes.add(device.position, "a step under a prompt happens on the device of the prompt: remove \"on\"")
        }
        if case .event(.restore(sameDevice: false)) = step.deed {
            mistakes.add(node.position, "a prompt is shown on this device: restore to another device only after it")
        }
        if case .account = step.deed {
            mistakes.add(node.position, "a prompt is shown on one device: change the account before or after it")
        }
        for case .step(let turn) in step.expectation?.flips ?? [] {
            mistakes.add(
                turn.position, "no step can be tried under a prompt: name a remedy or a factor")
        }
        return step
    }

    // MARK: - Requests

    private mutating func asking(_ node: Node) -> CallCircumstances {
        var asking = CallCircumstances(app: app(node["app"]), context: node["context"]?.text)
        if let name = asking.context { contexts.insert(name) }
        asking.interaction =
            Vocabulary.value(of: node["interaction"]?.text, in: Vocabulary.interactions) ?? .allowed
        asking.reuse = node["reuse"]?.text.flatMap { TimeSpan(written: $0) }
        asking.applicationPassword = node["applicationPassword"]?.text
        asking.fallbackTitle = node["fallbackTitle"]?.text
        asking.meanwhile = (node["meanwhile"]?.elements ?? []).map { stepOfPrompt($0) }
        return asking
    }

    private mutating func request(_ action: Action, _ key: String, _ value: Node, _ node: Node) -> StepDeed {
        let target: ItemRequest.Target =
            value.text == nil ? .query(query(value, for: action)) : .item(item(value))
        var request = ItemRequest(action: action, target: target, asking: asking(node))
        request.decrypts = key == ClaimWords.decrypting
        request.control = control(node)
        if let secret = node["secret"]?.text { request.secret = secret == "none" ? .none : .text(secret) }
        if let set = node["set"] { request.attributes = attributes(of: set) }
        return .request(request)
    }

    private mutating func query(_ node: Node, for action: Action) -> ItemQuery {
        let itemClass = Vocabulary.value(of: node["class"]?.text, in: Vocabulary.itemClasses) ?? .genericPassword
        var query = ItemQuery(itemClass, attributes(of: node), group: node["group"]?.text)
        query.accessible = Vocabulary.value(of: node["accessible"]?.text, in: Vocabulary.accessibilities)
        query.synchronizable =
            switch node["synchronizable"]?.text {
            case "true": .yes
            case "any": .either
            default: .no
            }
        query.limit =
            switch node["limit"]?.text {
            case nil: nil
            case "one": .one
            case "all": .all
            case .some(let count): .upTo(Int(count) ?? 1)
            }
        switch action {
        case .readData: query.wanted = .data
        case .readAttributes: query.wanted = .attributes
        case .readReference: query.wanted = .reference
        default: break
        }
        for part in node["return"]?.elements ?? [] {
            switch part.text {
            case "data": query.wanted.insert(.data)
            case "attributes": query.wanted.insert(.attributes)
            default: query.wanted.insert(.reference)
            }
        }
        return query
    }

    private mutating func evaluation(_ value: Node, _ node: Node, onlyAsks: Bool) -> Evaluation {
        let subject: Evaluation.Subject
        if let text = value.text {
            subject = .policy(Vocabulary.value(of: text, in: Vocabulary.policies) ?? .presence)
        } else {
            let operation = value["operation"]?.text ?? "useItem"
            subject = .control(
                control(value) ?? AccessControl(.whenUnlocked),
                Vocabulary.value(of: operation, in: Vocabulary.operations) ?? nil)
        }
        return Evaluation(subject: subject, asking: asking(node), onlyAsks: onlyAsks)
    }
}
