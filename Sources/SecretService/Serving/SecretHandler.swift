internal import SystemServices

/// The handler of the calls on one connection to the bus. It belongs to the thread of the bus.
final class SecretHandler: BusHandler {
    let link: BusLink
    let store: any SecretStore
    let settings: SecretServerSettings
    let threads = Threads()
    var clients: [String: Client] = [:]
    /// The collections whose list of items has to be announced; nil stands for the list of collections.
    var haveNewLists: Set<CollectionID?> = []
    /// True while lists are not announced, because they were a moment ago.
    var areListsHeld = false
    /// The work for apps, by their identifiers.
    var portalLanes: [String: Lane] = [:]
    private var lastNumber: UInt64 = 0

    init(_ link: BusLink, _ store: any SecretStore, _ settings: SecretServerSettings) {
        (self.link, self.store, self.settings) = (link, store, settings)
    }

    /// The time in milliseconds for a call that may wait for a prompt.
    var millisecondsToAnswer: Int { settings.millisecondsToAnswer }

    // MARK: - The loop of the bus

    func handle(_ call: BusCall) {
        do { try serve(call) } catch { refuse(call, error) }
    }

    func forget(_ caller: BusCaller) {
        guard let client = clients.removeValue(forKey: caller.connection) else { return }
        client.abandon()
        store.forget(client.caller)
    }

    func pause() {
        for client in clients.values {
            client.errands.start()
            client.asks.start()
        }
        for (app, lane) in portalLanes {
            lane.start()
            if lane.isEmpty { portalLanes[app] = nil }
        }
        announceLists()
    }

    func end() {
        for client in clients.values {
            // libsecret waits for ever for a prompt whose service has left the bus without a word.
            for (name, prompt) in client.prompts where prompt.work != nil {
                complete(name, prompt, .fault(.dismissed), client)
            }
            client.abandon()
            store.forget(client.caller)
        }
        clients = [:]
    }

    // MARK: - Calls

    /// Returns a name that no session and no prompt of this connection has had.
    func newName(_ prefix: String) -> String {
        lastNumber += 1
        return "\(prefix)\(lastNumber)"
    }

    func refuse(_ call: BusCall, _ error: CallError) {
        let (name, words) = error.reply
        link.refuse(call, name, words)
    }

    private func client(_ caller: BusCaller) -> Client {
        if let client = clients[caller.connection] { return client }
        let client = Client(
            SecretCaller(connection: caller.connection, process: caller.process), link, store, threads)
        clients[caller.connection] = client
        return client
    }

    private func serve(_ call: BusCall) throws(CallError) {
        let path = call.message.path ?? ""
        let client = client(call.caller)
        if let request = client.portalRequests[path] { return try serve(call, request) }
        guard client.count < BusLimits.calls else { throw .limit("Too many calls wait for an answer. Wait for some.") }
        let target = try target(path, client)
        let (interface, method) = try Self.method(call, target.interfaces)
        switch interface {
        case BusInterface.introspectable.name:
            let text = BusInterface.describe(target.allInterfaces, children: children(of: target, path))
            link.reply(to: call) { try $0.append(.text(text)) }
        case BusInterface.properties.name: try serveProperties(method, call, target, client)
        default:
            switch target {
            case .service: try serveService(method, call, client)
            case .collection(let collection): try serveCollection(method, call, collection, client)
            case .item(let item): try serveItem(method, call, item, client)
            case .session(let name):
                client.sessions[name] = nil
                link.reply(to: call)
            case .prompt(let name, let prompt): try servePrompt(method, call, name, prompt, client)
            case .portal: try servePortal(call, client)
            case .node: throw .unknown(.method(method))
            }
        }
    }

    /// Returns the interface and the method that a call is for, if its arguments have the right types.
    static func method(_ call: BusCall, _ interfaces: [BusInterface]) throws(CallError) -> (String, String) {
        let all = interfaces + [.properties, .introspectable]
        let name = call.message.member
        let found: BusInterface?
        if let wanted = call.message.interface {
            found = all.first { $0.name == wanted }
            if found == nil { throw .unknown(.interface(wanted)) }
        } else {
            found = all.first { $0.method(name) != nil }
        }
        guard let found, let method = found.method(name) else { throw .unknown(.method(name)) }
        guard call.message.signature == method.signature else {
            throw .invalidArguments("\(name) takes (\(method.signature)), and not (\(call.message.signature)).")
        }
        return (found.name, name)
    }

    /// Reads arguments. Damaged ones are invalid, and some are too large.
    func read<Value>(_ body: @autoclosure () throws -> Value) throws(CallError) -> Value {
        do {
            return try body()
        } catch let error as CallError {
            throw error
        } catch let error as BusError where error.code == BusError.tooLarge {
            throw BusLimits.tooLarge
        } catch is BusError {
            throw .invalidArguments("The arguments are not valid.")
        } catch { throw .failed("The arguments could not be read.") }
    }

    // MARK: - Objects

    /// An object that there is.
    enum Target {
        case service
        case node
        case collection(SecretCollection)
        case item(SecretItem)
        case session(String)
        case prompt(String, PromptObject)
        case portal

        /// The interfaces besides those that every object has.
        var interfaces: [BusInterface] {
            switch self {
            case .service: [SecretInterfaces.service]
            case .node: []
            case .collection: [SecretInterfaces.collection]
            case .item: [SecretInterfaces.item]
            case .session: [SecretInterfaces.session]
            case .prompt: [SecretInterfaces.prompt]
            case .portal: [SecretInterfaces.portal]
            }
        }

        /// The interfaces, with those that every object has.
        var allInterfaces: [BusInterface] { interfaces + [.properties, .introspectable] }
    }

    private func target(_ text: String, _ client: Client) throws(CallError) -> Target {
        guard let path = ObjectPath(text) else {
            if text.hasPrefix(ObjectPath.root + "/") { throw .noSuchObject }
            throw .unknown(.object)
        }
        switch path {
        case .service: return .service
        case .node: return .node
        case .collection, .alias:
            guard let id = collection(at: path), let found = collection(id) else { throw .noSuchItem(text) }
            return .collection(found)
        case .item, .itemOfAlias:
            guard let id = item(at: path), let found = store.item(id) else { throw .noSuchItem(text) }
            return .item(found)
        case .session(let name):
            guard client.sessions[name] != nil else { throw .noSession }
            return .session(name)
        case .prompt(let name):
            guard let prompt = client.prompts[name] else { throw .noSuchItem(text) }
            return .prompt(name, prompt)
        case .portal:
            guard settings.servesPortal else { throw .unknown(.object) }
            return .portal
        }
    }

    func collection(_ id: CollectionID) -> SecretCollection? { store.collections.first { $0.id == id } }

    /// Returns the collection that has this alias.
    ///
    /// Programs store in `session` what has to go when the user logs out. No store has such a collection, because it
    /// would keep secrets without a policy. So `session` means the default collection, unless the store gives the alias
    /// to another one.
    func collection(alias: String) -> CollectionID? {
        let aliases = store.aliases
        return aliases[alias] ?? (alias == "session" ? aliases["default"] : nil)
    }

    /// Returns the collection at a path, whether or not there is one. Programs also look for the collection of the
    /// session under the path that it has in GNOME's keyring.
    func collection(at path: ObjectPath) -> CollectionID? {
        switch path {
        case .collection(let id): id.name == "session" && collection(id) == nil ? collection(alias: id.name) ?? id : id
        case .alias(let name): collection(alias: name)
        case .service, .node, .item, .itemOfAlias, .session, .prompt, .portal: nil
        }
    }

    /// Returns the item at a path, whether or not there is one.
    func item(at path: ObjectPath) -> ShelfItemID? {
        switch path {
        case .item(let id): id
        case .itemOfAlias(let alias, let name): collection(alias: alias).flatMap { ShelfItemID(name, in: $0) }
        case .service, .node, .collection, .alias, .session, .prompt, .portal: nil
        }
    }

    /// Returns the collection or item at a path; nil if there is none.
    func object(at text: String) -> ShelfObject? {
        guard let path = ObjectPath(text) else { return nil }
        if let id = collection(at: path) { return collection(id).map { .collection($0.id) } }
        if let id = item(at: path) { return store.item(id).map { .item($0.id) } }
        return nil
    }

    private func children(of target: Target, _ path: String) -> [String] {
        switch target {
        case .collection(let collection): store.items(in: collection.id).map { $0.id.name }
        case .node where path == ObjectPath.collections: store.collections.map { $0.id.name }
        case .node where path == ObjectPath.aliases: (store.aliases.keys.filter { CollectionID($0) != nil }).sorted()
        case .node, .service: ObjectPath.children(of: path)
        case .item, .session, .prompt, .portal: []
        }
    }
}
