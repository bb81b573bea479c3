internal import AccessPolicy
internal import KeyKit
internal import Latchkey
internal import ScenarioFormat
internal import SecretVault
internal import SodiumKit
internal import Synchronization
internal import UserPresence

extension Stage {
    /// Stores the declared item at this index, as its app would.
    func store(_ place: Int) throws(KeychainError) {
        let item = scenario.items[place]
        let context = try context(of: CallCircumstances(applicationPassword: item.applicationPassword))
        try add(
            place, control: item.control, secret: item.secret, attributes: Attributes(), item.app, context, .allowed)
    }

    private func add(
        _ place: Int, control: AccessControl, secret: String?, attributes: Attributes, _ app: Int?,
        _ context: KeychainContext?, _ interaction: Interaction
    ) throws(KeychainError) {
        let item = scenario.items[place]
        let identifier: ItemIdentifier
        let requester = requester(app ?? item.app)
        let new = newItem(item, control, attributes)
        let secret = secret ?? (new.isKey ? "" : nil)
        if let secret {
            let bytes = try secureBytes(secret, isKey: new.isKey)
            identifier = try keychain.add(new, secret: bytes, by: requester, in: context, interaction: interaction)
        } else {
            identifier = try keychain.add(new, by: requester, in: context, interaction: interaction)
        }
        state.withLock { $0.items.store(place, as: identifier, secret.map { Array($0.utf8) }) }
    }

    private func newItem(_ item: ItemSetup, _ control: AccessControl, _ changes: Attributes) -> NewItem {
        var attributes = item.attributes
        for (name, value) in changes.values { attributes[name] = value }
        var new = NewItem(item.itemClass, attributes, control, group: item.group)
        new.isKey = item.itemClass.isEnclaveKey(under: control)
        new.isSynchronizable = item.isSynchronizable
        return new
    }

    /// Returns a reference to the item at this index, in its declared group or the first group of its app.
    func reference(_ place: Int) -> ItemReference {
        let item = scenario.items[place]
        return keychain.reference(
            item.itemClass, item.attributes, group: item.group, isSynchronizable: item.isSynchronizable,
            by: requester(item.app))
    }

    // MARK: - Requests

    /// Returns the context of a request: the one that it names, a new one if the request needs settings on it, or nil.
    func context(of asking: CallCircumstances) throws(KeychainError) -> KeychainContext? {
        let keychain = keychain
        var context: KeychainContext?
        if let name = asking.context {
            context = state.withLock { $0.contexts[name] }
            if context == nil {
                context = try keychain.makeContext()
                state.withLock { $0.contexts[name] = context }
            }
        } else if asking.reuse != nil || asking.applicationPassword != nil {
            context = try keychain.makeContext()
        }
        if let reuse = asking.reuse { try context?.setReuse(reuse) }
        if let password = asking.applicationPassword {
            let bytes = try secureBytes(password)
            try context?.setApplicationPassword(bytes)
        }
        return context
    }

    func secureBytes(_ text: String) throws(KeychainError) -> SecureBytes {
        do { return try SecureBytes(text) } catch { throw .vault(.memory(error)) }
    }

    /// Returns the bytes to store for a secret in a file. For a key that the enclave uses, they are the key that
    /// follows from the text.
    private func secureBytes(_ text: String, isKey: Bool) throws(KeychainError) -> SecureBytes {
        guard isKey else { return try secureBytes(text) }
        do {
            return try PrivateKey(derivedFrom: text).externalRepresentation()
        } catch {
            throw .key(error)
        }
    }

    /// True if the item at this index is a key that the enclave uses.
    private func isEnclaveKey(_ place: Int) -> Bool {
        let item = scenario.items[place]
        return item.itemClass.isEnclaveKey(under: item.control)
    }

    func ask(_ request: ItemRequest, _ outcome: inout StepOutcome) throws(KeychainError) {
        let asking = request.asking
        let context = try context(of: asking)
        switch request.target {
        case .item(let place): try ask(request, of: place, asking, context, &outcome)
        case .query(let query): try ask(request, query, asking, context, &outcome)
        }
    }

    private func ask(
        _ request: ItemRequest, of place: Int, _ asking: CallCircumstances, _ context: KeychainContext?,
        _ outcome: inout StepOutcome
    ) throws(KeychainError) {
        let item = scenario.items[place]
        let app = requester(asking.app ?? item.app)
        let keychain = keychain
        switch request.action {
        case .add:
            let secret: String? =
                switch request.secret {
                case .keep: item.secret
                case .none: nil
                case .text(let text): text
                }
            try add(
                place, control: request.control ?? item.control, secret: secret, attributes: request.attributes,
                asking.app, context, asking.interaction)
        case .readData:
            let secret = try keychain.read(reference(place), by: app, in: context, interaction: asking.interaction)
            let bytes = Self.bytes(of: secret)
            outcome.secrets = bytes.map { [$0] } ?? []
            outcome.isRightSecret = bytes == state.withLock { $0.items.secrets[place] }
        case .sign, .agree, .decapsulate:
            // A private key never leaves the enclave, so its public half shows if the operation was done with it.
            let trial = try trial(of: request, place)
            let output = try keychain.useKey(
                reference(place), to: request.action, trial.operation, by: app, in: context,
                interaction: asking.interaction)
            outcome.isRightSecret = trial.isRight(output)
        case .update:
            try change(request, isKey: isEnclaveKey(place)) { (changes, secret) throws(KeychainError) in
                try keychain.update(
                    reference(place), changes, secret: secret, by: app, in: context, interaction: asking.interaction)
            }
            note(request.secret, of: [place])
        case .delete:
            try keychain.delete(reference(place), by: app, in: context, interaction: asking.interaction)
        case .readAttributes, .readReference, .probe, .inventory, .checkDuplicate, .attest:
            _ = try keychain.describe(
                reference(place), for: request.action, by: app, in: context, interaction: asking.interaction)
        }
    }

    /// Returns an operation that shows if it was done with the key that was stored last at this index.
    private func trial(of request: ItemRequest, _ place: Int) throws(KeychainError) -> KeyTrial {
        let text = state.withLock { String(decoding: $0.items.secrets[place] ?? [], as: UTF8.self) }
        do {
            let publicKey = try PrivateKey(derivedFrom: text).publicKey
            switch request.action {
            case .agree where !request.decrypts: return try .agreeing(by: publicKey)
            case .agree, .decapsulate: return try .decrypting(by: publicKey)
            default: return try .signing(by: publicKey)
            }
        } catch {
            throw .key(error)
        }
    }

    static func bytes(of secret: borrowing SecureBytes?) -> [UInt8]? {
        switch secret {
        case .some(let bytes): bytes.withBytes { bytes in bytes.withUnsafeBytes { Array($0) } }
        case .none: nil
        }
    }

    /// Records the secret that a read of the items at these indices has to return from now on.
    private func note(_ secret: ItemRequest.Secret, of places: [Int]) {
        let bytes: [UInt8]?
        switch secret {
        case .keep: return
        case .none: bytes = nil
        case .text(let text): bytes = Array(text.utf8)
        }
        state.withLock { $0.items.change(places, to: bytes) }
    }

    private func change(
        _ request: ItemRequest, isKey: Bool, _ body: (ItemChanges, borrowing SecretChange) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        var changes = ItemChanges(control: request.control)
        changes.merging = request.attributes
        switch request.secret {
        case .keep: try body(changes, .keep)
        case .none where !isKey: try body(changes, .remove)
        case .none: try body(changes, .replace(secureBytes("", isKey: true)))
        case .text(let text): try body(changes, .replace(secureBytes(text, isKey: isKey)))
        }
    }

    private func ask(
        _ request: ItemRequest, _ query: ItemQuery, _ asking: CallCircumstances, _ context: KeychainContext?,
        _ outcome: inout StepOutcome
    ) throws(KeychainError) {
        let app = requester(asking.app)
        let keychain = keychain
        switch request.action {
        case .update:
            let isKey = query.itemClass == .key && scenario.items.indices.contains { isEnclaveKey($0) }
            try change(request, isKey: isKey) { (changes, secret) throws(KeychainError) in
                let changed = try keychain.update(
                    query, changes, secret: secret, by: app, in: context, interaction: asking.interaction)
                let places = places(of: changed)
                outcome.found = places
                note(request.secret, of: places)
            }
        case .delete:
            outcome.found = places(
                of: try keychain.delete(query, by: app, in: context, interaction: asking.interaction))
        default:
            let found = try keychain.find(query, by: app, in: context, interaction: asking.interaction)
            let items = state.withLock { $0.items }
            outcome.found = []
            for entry in found {
                let bytes = entry.secret.map { secret in
                    secret.bytes.withBytes { bytes in bytes.withUnsafeBytes { Array($0) } }
                }
                if let bytes { outcome.secrets.append(bytes) }
                guard let place = items.place(of: entry.id) else {
                    outcome.foundUnnamed += 1
                    continue
                }
                outcome.found?.append(place)
                if query.wanted.contains(.data) && bytes != items.secrets[place] { outcome.isRightSecret = false }
            }
        }
    }

    /// Returns the indices of the items with these identifiers. Items that the scenario does not declare are left out.
    private func places(of identifiers: [ItemIdentifier]) -> [Int] {
        state.withLock { state in identifiers.compactMap { state.items.place(of: $0) } }
    }

    // MARK: - Evaluations

    func evaluate(_ evaluation: Evaluation) throws(KeychainError) {
        let asking = evaluation.asking
        let app = requester(asking.app)
        var own = try context(of: asking)
        if own == nil { own = try keychain.makeContext() }
        guard let context = own else { return }
        let former = context.words
        defer { context.words = former }
        context.words.forbidsInteraction = asking.interaction == .fail
        if let title = asking.fallbackTitle { context.words.fallbackTitle = title }
        if evaluation.onlyAsks {
            let decision =
                switch evaluation.subject {
                case .policy(let policy): try context.decision(on: policy, by: app)
                case .control(let control, let operation): try context.decision(on: control, for: operation, by: app)
                }
            if let denial = decision.denial { throw keychain.denied(denial) }
            return
        }
        switch evaluation.subject {
        case .policy(let policy): try context.evaluate(policy, by: app)
        case .control(let control, let operation): try context.evaluate(control, for: operation, by: app)
        }
    }
}
