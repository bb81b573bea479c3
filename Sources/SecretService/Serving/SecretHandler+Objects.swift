internal import KeyKit
internal import SodiumKit
internal import Synchronization
internal import SystemServices

/// The methods of collections and items.
extension SecretHandler {
    func serveCollection(
        _ method: String, _ call: BusCall, _ collection: SecretCollection, _ client: Client
    ) throws(CallError) {
        switch method {
        case "Delete":
            let (store, caller, id) = (store, client.caller, collection.id)
            try delete(collection.id, call, client) { try store.delete(id, for: caller, $0) }
        case "SearchItems":
            let found = store.search(try readAttributes(call), in: collection.id)
            link.reply(to: call) { writer in try writer.append(.paths(found.map { $0.path })) }
        case "CreateItem": try createItem(call, collection.id, client)
        default: throw .unknown(.method(method))
        }
    }

    func serveItem(_ method: String, _ call: BusCall, _ item: SecretItem, _ client: Client) throws(CallError) {
        let (store, caller, id) = (store, client.caller, item.id)
        switch method {
        case "Delete":
            try delete(id.collection, call, client) { try store.delete(id, for: caller, $0) }
        case "GetSecret": try getSecret(call, id, client)
        case "SetSecret":
            let (held, contentType) = try readSecret(call, client)
            let work = Work(
                .other(id.collection) { asking in
                    guard let secret = held.take() else { return .fault(.locked) }
                    do {
                        try store.setSecret(secret, contentType: contentType, of: id, for: caller, asking)
                        return .done
                    } catch {
                        return .fault(SecretFault(error))
                    }
                }
            ) { [self] result in
                if case .fault(let fault) = result { refuse(call, CallError(fault)) } else { link.reply(to: call) }
            }
            client.asks.add(work, milliseconds: millisecondsToAnswer)
        default: throw .unknown(.method(method))
        }
    }

    private func getSecret(_ call: BusCall, _ id: ShelfItemID, _ client: Client) throws(CallError) {
        let session = try read(call.message.readText())
        let cipher = try client.session(at: session)
        let work = Work(.secrets([id])) { [self] result in
            switch result {
            case .secrets(let secrets):
                guard let secret = secrets.first else { return refuse(call, .isLocked) }
                guard let sealed = try? cipher.seal(secret) else { return refuse(call, .notEncrypted) }
                link.reply(to: call, isSecret: true) { try sealed.append(to: $0, session, secret.contentType) }
            case .fault(let fault): refuse(call, CallError(fault))
            case .objects, .collection, .item, .done: refuse(call, .isLocked)
            }
        }
        client.asks.add(work, milliseconds: millisecondsToAnswer)
    }

    /// Deletes something, after a prompt if its collection is locked.
    private func delete(
        _ collection: CollectionID, _ call: BusCall, _ client: Client,
        _ body: @escaping @Sendable (CallLifetime) throws -> Void
    ) throws(CallError) {
        let (store, caller) = (store, client.caller)
        let isLocked = store.isLocked(collection)
        let kind = Work.Kind.other(collection) { asking in
            do {
                if isLocked { try store.unlock(collection, for: caller, asking) }
                try asking.check()
                try body(asking)
                return .done
            } catch {
                return .fault(SecretFault(error))
            }
        }
        if isLocked {
            let prompt = try addPrompt(
                client,
                PromptObject(kind, dismissed: .text("")) { result in if case .done = result { .text("") } else { nil } }
            )
            return link.reply(to: call) { try $0.append(.path(prompt)) }
        }
        let work = Work(kind) { [self] result in
            if case .fault(let fault) = result { return refuse(call, CallError(fault)) }
            link.reply(to: call) { try $0.append(.path(ObjectPath.none)) }
        }
        client.asks.add(work, milliseconds: millisecondsToAnswer)
    }

    // MARK: - New items

    private func createItem(_ call: BusCall, _ collection: CollectionID, _ client: Client) throws(CallError) {
        let message = call.message
        var label = ""
        var attributes: [String: String] = [:]
        var type: String?
        try read(
            message.readProperties { name, signature in
                switch name {
                case "\(SecretInterfaces.item.name).Label" where signature == "s":
                    label = try message.readText(atMost: BusLimits.text)
                case "\(SecretInterfaces.item.name).Type" where signature == "s":
                    type = try message.readText(atMost: BusLimits.text)
                case "\(SecretInterfaces.item.name).Attributes" where signature == "a{ss}":
                    attributes = try message.readTextsByName(BusLimits.texts)
                case "\(SecretInterfaces.item.name).Label", "\(SecretInterfaces.item.name).Type",
                    "\(SecretInterfaces.item.name).Attributes":
                    throw BusError(code: BusError.invalid)
                default: return false
                }
                return true
            })
        // Old clients give the schema as a type.
        if let type, !type.isEmpty, attributes[Self.schema] == nil { attributes[Self.schema] = type }
        let (held, contentType) = try readSecret(call, client)
        let replaces = try read(message.readBool())
        let (store, caller) = (store, client.caller)
        let isLocked = store.isLocked(collection)
        let kind = Work.Kind.other(collection) { [label, attributes] asking in
            do {
                if isLocked { try store.unlock(collection, for: caller, asking) }
                try asking.check()
                guard let secret = held.take() else { return .fault(.locked) }
                let item = NewSecretItem(
                    label: label, attributes: attributes, secret: secret, contentType: contentType)
                return .item(try store.create(item, in: collection, replaces: replaces, for: caller, asking))
            } catch {
                return .fault(SecretFault(error))
            }
        }
        if isLocked {
            let prompt = try addPrompt(
                client,
                PromptObject(kind, dismissed: .path(ObjectPath.none)) { result in
                    if case .item(let id) = result { .path(id.path) } else { nil }
                })
            return reply(to: call, object: ObjectPath.none, prompt: prompt)
        }
        let work = Work(kind) { [self] result in
            switch result {
            case .item(let id): reply(to: call, object: id.path, prompt: ObjectPath.none)
            case .fault(let fault): refuse(call, CallError(fault))
            case .secrets, .objects, .collection, .done: refuse(call, .isLocked)
            }
        }
        client.asks.add(work, milliseconds: millisecondsToAnswer)
    }

    /// The attribute that names the schema of an item.
    static let schema = "xdg:schema"

    // MARK: - Reading

    func readAttributes(_ call: BusCall) throws(CallError) -> [String: String] {
        try read(call.message.readTextsByName(BusLimits.texts))
    }

    /// Reads a secret that a client has sent, and decrypts it.
    private func readSecret(_ call: BusCall, _ client: Client) throws(CallError) -> (SecretBox, String) {
        let message = call.message
        return try read(
            message.readStructure("oayays") {
                let session = try message.readText()
                let parameters = try message.readBytes(atMost: BusLimits.text)
                let secret = try message.takeBytes { try decrypt($0, parameters, client.session(at: session)) }
                return (secret, try message.readText(atMost: BusLimits.text))
            })
    }

    private func decrypt(
        _ ciphertext: RawSpan, _ parameters: [UInt8], _ cipher: SessionCipher
    ) throws(CallError) -> SecretBox {
        // The last block of a ciphertext is padding.
        guard ciphertext.byteCount <= BusLimits.secret + AES128CBC.count else {
            throw .limit("A secret has at most \(BusLimits.secret) bytes.")
        }
        var share: (any Sendable & AnyObject)?
        if ciphertext.byteCount > 0 {
            share = settings.reserve(ciphertext.byteCount)
            if share == nil { throw Self.noRoom }
        }
        do {
            return SecretBox(try cipher.open(ciphertext, parameters: parameters), share)
        } catch .memory {
            throw Self.noRoom
        } catch {
            throw .invalidArguments("The secret does not decrypt with the key of the session.")
        }
    }

    private static let noRoom = CallError.limit(
        "There is no memory for another secret now. Complete or dismiss a prompt, or try again later.")
}

/// A secret on its way to the store.
private final class SecretBox: Sendable {
    private let bytes: Mutex<SecureBytes?>
    /// The memory that is reserved for the secret until the store is done with it.
    private let share: (any Sendable & AnyObject)?

    init(_ bytes: consuming SecureBytes, _ share: (any Sendable & AnyObject)?) {
        self.bytes = Mutex(bytes)
        self.share = share
    }

    /// Returns the secret, once.
    func take() -> SecureBytes? {
        bytes.withLock { bytes in
            var taken: SecureBytes?
            swap(&taken, &bytes)
            return taken
        }
    }
}

extension SecretStore {
    /// Unlocks a collection, or throws that it was dismissed.
    func unlock(_ collection: CollectionID, for caller: SecretCaller, _ asking: CallLifetime) throws(SecretFault) {
        if try unlock([.collection(collection)], for: caller, asking).isEmpty { throw .dismissed }
    }
}
