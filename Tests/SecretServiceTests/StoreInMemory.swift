import SecretService
import SodiumKit
import Synchronization
import TestSupport

/// A store for the tests of the Secret Service, in memory: the test answers its prompts. The real one is the agent's.
final class StoreInMemory: SecretStore {
    /// The answer of the user to a prompt.
    enum Answer: CaseIterable {
        /// The user authenticates.
        case granted
        /// The user dismisses the prompt.
        case dismissed
        /// The user does nothing until the time to ask is over.
        case none
    }

    private struct Item {
        var seen: SecretItem
        var secret: HandedSecret
    }

    private struct Grant: Hashable {
        let caller: SecretCaller
        let item: ShelfItemID
    }

    private struct State {
        var collections: [SecretCollection] = []
        var aliases: [String: CollectionID] = [:]
        var items: [ShelfItemID: Item] = [:]
        var lockedCollections: Set<CollectionID> = []
        var grants: Set<Grant> = []
        var answer = Answer.granted
        var firstAnswers: [Answer] = []
        var answersLate = false
        var needsPrompt = true
        var prompts: [[ShelfObject]] = []
        var forgotten: [SecretCaller] = []
        var last: UInt64 = 0
        var observers: [@Sendable (ShelfChange) -> Void] = []
        var asking = 0
    }

    private let state = Mutex(State())
    static let login = CollectionID("login")!

    init() {
        state.withLock { state in
            state.collections = [SecretCollection(id: Self.login, label: "Login", created: 1, modified: 2)]
            state.aliases["default"] = Self.login
        }
    }

    // MARK: - For the test

    /// The user's answer to all prompts.
    var answer: Answer {
        get { state.withLock { $0.answer } }
        set { state.withLock { $0.answer = newValue } }
    }
    /// The answers to the next prompts, before ``answer`` holds.
    var firstAnswers: [Answer] {
        get { state.withLock { $0.firstAnswers } }
        set { state.withLock { $0.firstAnswers = newValue } }
    }
    /// True if the user authenticates when the time to ask is just over.
    var answersLate: Bool {
        get { state.withLock { $0.answersLate } }
        set { state.withLock { $0.answersLate = newValue } }
    }
    /// True if reading a secret needs a prompt.
    var needsPrompt: Bool {
        get { state.withLock { $0.needsPrompt } }
        set { state.withLock { $0.needsPrompt = newValue } }
    }
    /// The objects that each prompt so far was for.
    var prompts: [[ShelfObject]] { state.withLock { $0.prompts } }
    /// The number of prompts that are on the screen.
    var asking: Int { state.withLock { $0.asking } }
    /// The callers that have left.
    var forgotten: [SecretCaller] { state.withLock { $0.forgotten } }
    /// All items.
    var all: [SecretItem] {
        state.withLock { state in state.items.values.map { $0.seen }.sorted { $0.id.name < $1.id.name } }
    }

    /// Returns the secret of an item as text.
    func text(of item: ShelfItemID) -> String? { state.withLock { $0.items[item]?.secret.bytes.string() } }

    /// Locks the whole collection, as at the start.
    func lockCollection() {
        state.withLock { _ = $0.lockedCollections.insert(Self.login) }
        forgetGrants()
    }
    /// Ends all grants.
    func forgetGrants() { state.withLock { $0.grants = [] } }

    // MARK: - Looking

    var collections: [SecretCollection] { state.withLock { $0.collections } }
    var aliases: [String: CollectionID] { state.withLock { $0.aliases } }
    func items(in collection: CollectionID) -> [SecretItem] { all.filter { $0.id.collection == collection } }
    func item(_ id: ShelfItemID) -> SecretItem? { state.withLock { $0.items[id]?.seen } }
    func search(_ attributes: [String: String], in collection: CollectionID?) -> [ShelfItemID] {
        all.filter { item in
            (collection == nil || item.id.collection == collection)
                && attributes.allSatisfy { item.attributes[$0.key] == $0.value }
        }.map { $0.id }
    }
    func isLocked(_ item: ShelfItemID, for caller: SecretCaller) -> Bool {
        state.withLock { state in
            state.lockedCollections.contains(item.collection)
                || state.needsPrompt && !state.grants.contains(Grant(caller: caller, item: item))
        }
    }
    func isLocked(_ collection: CollectionID) -> Bool { state.withLock { $0.lockedCollections.contains(collection) } }

    // MARK: - Asking

    private func ask(_ objects: [ShelfObject], _ asking: CallLifetime) throws(SecretFault) {
        let answer = state.withLock { state in
            state.prompts.append(objects)
            state.asking += 1
            return state.firstAnswers.isEmpty ? state.answer : state.firstAnswers.removeFirst()
        }
        defer { state.withLock { $0.asking -= 1 } }
        switch answer {
        case .granted:
            if answersLate { _ = Patience.wait { asking.isOver } }
        case .dismissed: throw .dismissed
        case .none:
            _ = Patience.wait { asking.isOver }
            throw .locked
        }
    }

    func unlock(
        _ objects: [ShelfObject], for caller: SecretCaller, _ asking: CallLifetime
    ) throws(SecretFault) -> [ShelfObject] {
        try ask(objects, asking)
        state.withLock { state in
            for object in objects {
                switch object {
                case .collection(let id): state.lockedCollections.remove(id)
                case .item(let id):
                    state.lockedCollections.remove(id.collection)
                    state.grants.insert(Grant(caller: caller, item: id))
                }
            }
        }
        return objects
    }

    func lock(_ objects: [ShelfObject], for caller: SecretCaller) throws(SecretFault) {
        state.withLock { state in
            for object in objects {
                switch object {
                case .collection(let id):
                    state.lockedCollections.insert(id)
                    state.grants = []
                case .item(let id): state.grants = state.grants.filter { $0.item != id }
                }
            }
        }
    }

    func secrets(
        of items: [ShelfItemID], for caller: SecretCaller, _ asking: CallLifetime
    ) throws(SecretFault) -> [HandedSecret] {
        let locked = items.filter { isLocked($0, for: caller) }
        if !locked.isEmpty { _ = try unlock(locked.map { .item($0) }, for: caller, asking) }
        return state.withLock { state in items.compactMap { state.items[$0]?.secret } }
    }

    // MARK: - Changing

    private func number() -> UInt64 {
        state.withLock { state in
            state.last += 1
            return state.last
        }
    }

    private func tell(_ change: ShelfChange) { for observer in state.withLock({ $0.observers }) { observer(change) } }

    func createCollection(
        _ label: String, alias: String, for caller: SecretCaller, _ asking: CallLifetime
    ) throws(SecretFault) -> CollectionID {
        try ask([], asking)
        let number = number()
        let id = CollectionID("c\(number)")!
        state.withLock { state in
            state.collections.append(SecretCollection(id: id, label: label, created: number, modified: number))
            if !alias.isEmpty { state.aliases[alias] = id }
        }
        tell(.collectionCreated(id))
        return id
    }

    func delete(_ collection: CollectionID, for caller: SecretCaller, _ asking: CallLifetime) throws(SecretFault) {
        state.withLock { state in
            state.collections.removeAll { $0.id == collection }
            state.items = state.items.filter { $0.key.collection != collection }
            state.aliases = state.aliases.filter { $0.value != collection }
        }
        tell(.collectionDeleted(collection))
    }

    func setAlias(_ alias: String, to collection: CollectionID?) throws(SecretFault) {
        state.withLock { $0.aliases[alias] = collection }
    }

    func setLabel(_ label: String, of collection: CollectionID, for caller: SecretCaller) throws(SecretFault) {
        state.withLock { state in
            for index in state.collections.indices where state.collections[index].id == collection {
                state.collections[index].label = label
            }
        }
        tell(.collectionChanged(collection))
    }

    func create(
        _ item: consuming NewSecretItem, in collection: CollectionID, replaces: Bool, for caller: SecretCaller,
        _ asking: CallLifetime
    ) throws(SecretFault) -> ShelfItemID {
        let (label, attributes, contentType) = (item.label, item.attributes, item.contentType)
        let secret: SecureBytes
        do throws(SodiumError) { secret = try item.secret.copy() } catch { throw .failed("\(error)") }
        let old = replaces ? all.first { $0.id.collection == collection && $0.attributes == attributes } : nil
        let number = number()
        let id = old?.id ?? ShelfItemID("i\(number)", in: collection)!
        let released = HandedSecret(id, secret, contentType: contentType)
        state.withLock { state in
            state.items[id] = Item(
                seen: SecretItem(id: id, label: label, attributes: attributes, created: number, modified: number),
                secret: released)
        }
        tell(old == nil ? .itemCreated(id) : .itemChanged(id))
        return id
    }

    func setSecret(
        _ secret: consuming SecureBytes, contentType: String, of item: ShelfItemID, for caller: SecretCaller,
        _ asking: CallLifetime
    ) throws(SecretFault) {
        let released = HandedSecret(item, secret, contentType: contentType)
        state.withLock { $0.items[item]?.secret = released }
        tell(.itemChanged(item))
    }

    func change(
        _ item: ShelfItemID, attributes: [String: String]?, label: String?, for caller: SecretCaller
    ) throws(SecretFault) {
        state.withLock { state in
            if let attributes { state.items[item]?.seen.attributes = attributes }
            if let label { state.items[item]?.seen.label = label }
        }
        tell(.itemChanged(item))
    }

    func delete(_ item: ShelfItemID, for caller: SecretCaller, _ asking: CallLifetime) throws(SecretFault) {
        guard state.withLock({ $0.items.removeValue(forKey: item) }) != nil else { throw .noSuchObject }
        tell(.itemDeleted(item))
    }

    func whenChanged(_ body: @escaping @Sendable (ShelfChange) -> Void) {
        state.withLock { $0.observers.append(body) }
    }

    func forget(_ caller: SecretCaller) {
        state.withLock { state in
            state.forgotten.append(caller)
            state.grants = state.grants.filter { $0.caller != caller }
        }
    }
}
