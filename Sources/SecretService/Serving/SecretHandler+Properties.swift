internal import SystemServices

/// Properties, and the signals that announce changes.
extension SecretHandler {
    func serveProperties(_ method: String, _ call: BusCall, _ target: Target, _ client: Client) throws(CallError) {
        let message = call.message
        let wanted = try read(message.readText())
        let interface = try Self.interface(wanted, of: target)
        switch method {
        case "GetAll":
            // An empty name means all interfaces.
            let properties = interface == nil && !wanted.isEmpty ? [] : properties(of: target, client.caller)
            link.reply(to: call) { try $0.append(properties: properties) }
        case "Get":
            let name = try read(message.readText())
            guard let value = properties(of: target, client.caller).first(where: { $0.name == name })?.value else {
                throw .unknown(.property(name))
            }
            link.reply(to: call) { try $0.append(variant: value) }
        case "Set":
            let name = try read(message.readText())
            guard let property = target.interfaces.flatMap({ $0.properties }).first(where: { $0.name == name }) else {
                throw .unknown(.property(name))
            }
            guard property.isWritable else { throw .readOnly(name) }
            try set(property, call, target, client)
        default: throw .unknown(.method(method))
        }
    }

    /// Returns the interface whose properties a caller wants; nil if it has none.
    private static func interface(_ name: String, of target: Target) throws(CallError) -> BusInterface? {
        if name.isEmpty { return nil }
        guard let interface = target.allInterfaces.first(where: { $0.name == name }) else {
            throw .unknown(.interface(name))
        }
        return interface.properties.isEmpty ? nil : interface
    }

    private func properties(of target: Target, _ caller: SecretCaller) -> [(name: String, value: BusValue)] {
        switch target {
        case .service: [("Collections", .paths(store.collections.map { $0.id.path }))]
        case .collection(let collection):
            [
                ("Items", .paths(store.items(in: collection.id).map { $0.id.path })),
                ("Label", .text(collection.label)), ("Locked", .flag(store.isLocked(collection.id))),
                ("Created", .large(collection.created)), ("Modified", .large(collection.modified)),
            ]
        case .item(let item):
            [
                ("Locked", .flag(store.isLocked(item.id, for: caller))), ("Attributes", .texts(item.attributes)),
                ("Label", .text(item.label)),
                ("Type", .text(item.attributes[Self.schema] ?? "org.freedesktop.Secret.Generic")),
                ("Created", .large(item.created)), ("Modified", .large(item.modified)),
            ]
        case .portal: [("version", .number(1))]
        case .node, .session, .prompt: []
        }
    }

    private func set(_ property: BusInterface.Property, _ call: BusCall, _ target: Target, _ client: Client)
        throws(CallError)
    {
        let message = call.message
        var text: String?
        var attributes: [String: String]?
        try read(
            message.readVariant { type in
                guard type == property.type else { throw BusError(code: BusError.invalid) }
                if type == "s" {
                    text = try message.readText(atMost: BusLimits.text)
                } else {
                    attributes = try message.readTextsByName(BusLimits.texts)
                }
            })
        let (store, caller) = (store, client.caller)
        switch target {
        case .collection(let collection):
            guard let text else { throw .readOnly(property.name) }
            run(client, { try store.setLabel(text, of: collection.id, for: caller) }, call) { [link] in
                link.reply(to: call)
            }
        case .item(let item):
            run(
                client,
                { [text, attributes] in try store.change(item.id, attributes: attributes, label: text, for: caller) },
                call
            ) { [link] in link.reply(to: call) }
        case .service, .node, .session, .prompt, .portal: throw .readOnly(property.name)
        }
    }

    // MARK: - Signals

    func announce(_ change: ShelfChange) {
        switch change {
        case .collectionCreated(let id):
            emit(ObjectPath.root, SecretInterfaces.service, "CollectionCreated", id.path)
            haveNewLists.insert(nil)
        case .collectionDeleted(let id):
            emit(ObjectPath.root, SecretInterfaces.service, "CollectionDeleted", id.path)
            haveNewLists.insert(nil)
        case .collectionChanged(let id):
            emit(ObjectPath.root, SecretInterfaces.service, "CollectionChanged", id.path)
            guard let collection = collection(id) else { return }
            announce(
                id.path, SecretInterfaces.collection,
                [
                    ("Label", .text(collection.label)), ("Locked", .flag(store.isLocked(id))),
                    ("Modified", .large(collection.modified)),
                ])
        case .itemCreated(let id):
            emit(id.collection.path, SecretInterfaces.collection, "ItemCreated", id.path)
            haveNewLists.insert(id.collection)
        case .itemDeleted(let id):
            emit(id.collection.path, SecretInterfaces.collection, "ItemDeleted", id.path)
            haveNewLists.insert(id.collection)
        case .itemChanged(let id):
            emit(id.collection.path, SecretInterfaces.collection, "ItemChanged", id.path)
            guard let item = store.item(id) else { return }
            announce(
                id.path, SecretInterfaces.item,
                [
                    ("Attributes", .texts(item.attributes)), ("Label", .text(item.label)),
                    ("Modified", .large(item.modified)),
                ])
        }
    }

    /// Announces the lists that have changed. Many changes at once are one announcement of each list: to make one for
    /// every change would take a time that grows with the square of their number.
    func announceLists() {
        guard !haveNewLists.isEmpty, !areListsHeld else { return }
        for id in haveNewLists { if let id { announceItems(id) } else { announceCollections() } }
        haveNewLists = []
        areListsHeld = true
        _ = link.after(milliseconds: BusLimits.millisecondsBetweenLists) { [weak self] in self?.areListsHeld = false }
    }

    private func announceCollections() {
        announce(
            ObjectPath.root, SecretInterfaces.service,
            [("Collections", .paths(store.collections.map { $0.id.path }))])
    }

    private func announceItems(_ id: CollectionID) {
        guard collection(id) != nil else { return }
        let items = store.items(in: id)
        let isShort = items.count <= BusLimits.announcedItems
        announce(
            id.path, SecretInterfaces.collection, isShort ? [("Items", .paths(items.map { $0.id.path }))] : [],
            invalidated: isShort ? [] : ["Items"])
    }

    private func emit(_ path: String, _ interface: BusInterface, _ member: String, _ object: String) {
        link.emit(path, interface.name, member) { try $0.append(.path(object)) }
    }

    private func announce(
        _ path: String, _ interface: BusInterface, _ changed: [(name: String, value: BusValue)],
        invalidated: [String] = []
    ) {
        link.emit(path, BusInterface.properties.name, "PropertiesChanged") { writer in
            try writer.append(.text(interface.name))
            try writer.append(properties: changed)
            try writer.append(list: invalidated)
        }
    }
}
