import AccessPolicy
import DeviceModel
import Latchkey
import SecretVault
import SodiumKit
import UserPresence

extension KeychainTwins {
    /// Makes an app's call on both, and returns how the answers differ; nil if they agree.
    mutating func perform(_ ask: Ask, _ tally: inout ModelIsKeychainTests.Tally) throws -> String? {
        var kept: Kept?
        switch ask.place {
        case .nowhere: kept = nil
        case .fresh(let wishes): kept = try makeContext(wishes)
        case .kept(let number): kept = contexts[number]
        }
        let wishes = kept?.wishes ?? Wishes()
        var model = kept?.model ?? Context()
        var interaction = ask.interaction
        // A context that forbids prompts forbids them for every call that does not set its own interaction.
        if wishes.forbidsInteraction && interaction == .allowed { interaction = .fail }
        var call = Call(ask.subject.inWorld(slots), app: ask.app, by: ask.person, interaction: interaction)
        call.namesGroup = ask.namesGroup
        call.applicationPassword = wishes.password
        call.hidesFallback = wishes.hidesFallback
        var before: Slot?
        if case .item(let number, _, _) = ask.subject { before = world[slots[number].id] }
        let permission = world.device.app(ask.app)?.permission
        let outcome = world.perform(call, in: &model)
        let isPermissionAsked = permission != world.device.app(ask.app)?.permission

        user.hand(to: Self.simulated(ask.person))
        let answer = try answer(ask, kept?.real)
        let record = user.record

        if case .kept(let number) = ask.place { contexts[number].model = model }
        try restorePassword(of: ask.place)

        tally.count(outcome, answer)
        let expected = ask.expected(outcome.decision, before)
        if expected != answer.words { return "\(expected) in the world, \(answer.words) in the keychain; \(ask)" }
        if record.factors != Array(outcome.prompts) || record.strange != 0 {
            return
                "\(outcome.prompts) asked for in the world, \(record) in the keychain, which answered \(answer.words); \(ask), of \(String(describing: before)), holding \(kept?.model as Any)"
        }
        if (record.permissions == 1) != isPermissionAsked || record.permissions > 1 {
            return "permission asked for: \(isPermissionAsked) in the world, \(record) in the keychain"
        }
        return nil
    }

    /// A context drops a password that proves wrong, and the app has to set it again; calls of the World bring it each
    /// time. Setting a password ends earlier authentication.
    mutating func restorePassword(of place: Place) throws {
        guard case .kept(let number) = place else { return }
        let kept = contexts[number]
        guard kept.wishes.password != 0, !kept.model.isInvalidated else { return }
        if try kept.real.evidence.offersApplicationPassword { return }
        try kept.real.setApplicationPassword(Self.password(kept.wishes.password))
        contexts[number].model[.applicationPassword] = nil
    }

    // MARK: - Calling the keychain

    /// The keychain's answer: granted, with the bytes it returned, or the reason why not.
    struct Answer {
        var words: String
        var isGranted = false
        var broughtOut = false
    }

    private mutating func answer(_ ask: Ask, _ context: KeychainContext?) throws -> Answer {
        do {
            let broughtOut = try carryOut(ask, context)
            return Answer(words: "granted", isGranted: true, broughtOut: broughtOut)
        } catch let error as KeychainError {
            guard case .denied(let denied) = error else { return Answer(words: "\(error)") }
            return Answer(words: denied.denial.words)
        } catch let wrong as WrongAnswer {
            return Answer(words: "granted, but \(wrong.words)")
        }
    }

    /// The error for returned bytes that are not the stored ones.
    struct WrongAnswer: Error { let words: String }

    /// Carries a request out on the keychain, and returns true if it returned a secret.
    private mutating func carryOut(_ ask: Ask, _ context: KeychainContext?) throws -> Bool {
        let requester = Self.requesters[Int(ask.app.rawValue)]
        switch ask.subject {
        case .policy(let policy):
            try context?.evaluate(policy, by: requester)
            return false
        case .accessControl(let control, let operation):
            try context?.evaluate(control, for: operation, by: requester)
            return false
        case .item(let number, .add, let control):
            try add(number, control, ask, requester, context)
            return false
        case .item(let number, .update, let control):
            try update(number, control, ask, requester, context)
            return false
        case .item(let number, .delete, _):
            if let query = query(number, ask) {
                _ = try keychain.delete(query, by: requester)
            } else {
                try keychain.delete(reference(number), by: requester)
            }
            return false
        case .item(let number, let action, _): return try read(number, action, ask, requester, context)
        }
    }

    private mutating func add(
        _ number: Int, _ control: AccessControl?, _ ask: Ask, _ requester: Requester, _ context: KeychainContext?
    ) throws {
        var item = NewItem.password(account: "item \(number)", service: "service", control)
        // An app that names no group uses its first.
        let group = "group \(slots[number].group)"
        if requester.groups.first != group || ask.replacesSecret { item.group = group }
        item.isKey = slots[number].isKey
        let secret = nextSecret()
        let id = try keychain.add(
            item, secret: SecureBytes(secret), by: requester, in: context, interaction: ask.interaction)
        slots[number].known = id
        slots[number].secret = secret
    }

    private mutating func update(
        _ number: Int, _ control: AccessControl?, _ ask: Ask, _ requester: Requester, _ context: KeychainContext?
    ) throws {
        let secret = ask.replacesSecret ? nextSecret() : slots[number].secret
        let change = ask.replacesSecret ? SecretChange.replace(try SecureBytes(secret)) : .keep
        let changes = ItemChanges(control: control)
        let ids: [ItemIdentifier]
        if let query = query(number, ask) {
            ids = try keychain.update(
                query, changes, secret: change, by: requester, in: context, interaction: ask.interaction)
        } else {
            ids = [
                try keychain.update(
                    reference(number), changes, secret: change, by: requester, in: context, interaction: ask.interaction
                )
            ]
        }
        if ids != [slots[number].known] { throw WrongAnswer(words: "it changed \(ids)") }
        slots[number].secret = secret
    }

    private func read(
        _ number: Int, _ action: Action, _ ask: Ask, _ requester: Requester, _ context: KeychainContext?
    ) throws -> Bool {
        if var query = query(number, ask) {
            query.wanted =
                switch action {
                case .readData: .data
                case .readAttributes: .attributes
                case .readReference: .reference
                default: []
                }
            let found = try keychain.find(query, by: requester, in: context, interaction: ask.interaction)
            guard let entry = found.first, found.count == 1, entry.id == slots[number].known else {
                throw WrongAnswer(words: "it found \(found)")
            }
            if action == .readAttributes { try check(entry.stored, number) }
            if action == .readData { try check(entry.secret?.bytes.text(), number) }
            return action == .readData
        }
        switch action {
        case .readData:
            let bytes = try keychain.read(
                reference(number), by: requester, in: context, interaction: ask.interaction)
            try check(Self.text(of: bytes), number)
            return true
        case .readAttributes:
            try check(
                try keychain.attributes(
                    reference(number), by: requester, in: context, interaction: ask.interaction), number)
        case .inventory: try check(try keychain.inventory(reference(number), by: requester), number)
        default: throw WrongAnswer(words: "there is no such call")
        }
        return false
    }

    private func check(_ secret: String?, _ number: Int) throws {
        if secret != slots[number].secret { throw WrongAnswer(words: "it is \(secret ?? "none")") }
    }

    private func check(_ stored: StoredItem?, _ number: Int) throws {
        let isRight =
            stored?.id == slots[number].known && stored?.description.group == "group \(slots[number].group)"
            && stored?.description.attributes["acct"] == .data(Array("item \(number)".utf8))
            || stored?.description.attributes["acct"] == .string("item \(number)")
        if !isRight { throw WrongAnswer(words: "it is \(String(describing: stored))") }
    }

    private static func text(of bytes: consuming SecureBytes?) -> String? {
        switch consume bytes {
        case .some(let bytes): bytes.text()
        case .none: nil
        }
    }

    private mutating func nextSecret() -> String {
        counter += 1
        return "secret \(counter)"
    }

    func reference(_ number: Int) -> ItemReference {
        .key(
            PrimaryKey(
                .genericPassword, ["acct": .string("item \(number)"), "svce": .string("service")],
                group: "group \(slots[number].group)"))
    }

    /// Returns the query that matches the item, if the call takes one.
    private func query(_ number: Int, _ ask: Ask) -> ItemQuery? {
        switch ask.route {
        case .key: return nil
        case .reference: if let known = slots[number].known { return ItemQuery(known) }
        case .query: break
        }
        return ItemQuery(
            .genericPassword, ["acct": .string("item \(number)"), "svce": .string("service")],
            group: ask.namesGroup ? "group \(slots[number].group)" : nil)
    }
}

extension KeychainTwins.Ask.Subject {
    func inWorld(_ slots: [KeychainTwins.Shelf]) -> Call.Subject {
        switch self {
        case .item(let number, let action, let control): .item(slots[number].id, action, control: control)
        case .policy(let policy): .policy(policy)
        case .accessControl(let control, let operation): .accessControl(control, operation)
        }
    }
}

extension KeychainTwins.Ask {
    /// Returns the answer that the keychain has to give if the World decides this.
    ///
    /// A World knows the place of each item. A query without a group does not find another group's items, and an
    /// identifier does not reveal the group of an item that is gone. In both cases the World's "hidden" is the
    /// keychain's "not found".
    fileprivate func expected(_ decision: Decision, _ before: Slot?) -> String {
        guard let denial = decision.denial else { return decision.isGranted ? "granted" : "asks" }
        let comesUponNothing = route == .query && !namesGroup || route == .reference && before?.isPresent == false
        if denial.rule == .groupHidden, comesUponNothing { return Denial(.itemNotFound).words }
        return denial.words
    }
}

extension Denial {
    var words: String {
        "\(rule.identifier), could prove \(ways.map { $0.map(\.name) }), until \(until.map { "\($0)" } ?? "-")"
    }
}

extension ModelIsKeychainTests.Tally {
    fileprivate mutating func count(_ outcome: Outcome, _ answer: KeychainTwins.Answer) {
        if outcome.decision.isGranted { granted += 1 } else { denied += 1 }
        if let denial = outcome.decision.denial { rules[denial.rule.identifier, default: 0] += 1 }
        if !outcome.prompts.isEmpty {
            prompted += 1
            if outcome.decision.isGranted { grantedAfterPrompts += 1 }
        }
        if answer.broughtOut { secretsRead += 1 }
    }
}
