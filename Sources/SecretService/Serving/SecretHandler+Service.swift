internal import KeyKit
internal import SodiumKit
internal import SystemServices

/// The methods of the service itself.
extension SecretHandler {
    func serveService(_ method: String, _ call: BusCall, _ client: Client) throws(CallError) {
        switch method {
        case "OpenSession": try openSession(call, client)
        case "CreateCollection": try createCollection(call, client)
        case "SearchItems":
            let attributes = try readAttributes(call)
            let found = store.search(attributes, in: nil)
            var (locked, unlocked): ([ShelfItemID], [ShelfItemID]) = ([], [])
            for item in found {
                if store.isLocked(item, for: client.caller) { locked.append(item) } else { unlocked.append(item) }
            }
            link.reply(to: call) { writer in
                try writer.append(.paths(unlocked.map { $0.path }))
                try writer.append(.paths(locked.map { $0.path }))
            }
        case "Unlock": try unlock(call, client)
        case "Lock": try lock(call, client)
        case "GetSecrets": try getSecrets(call, client)
        case "ReadAlias":
            let name = try read(call.message.readText())
            let path = collection(alias: name)?.path ?? ObjectPath.none
            link.reply(to: call) { try $0.append(.path(path)) }
        case "SetAlias": try setAlias(call, client)
        default: throw .unknown(.method(method))
        }
    }

    private func openSession(_ call: BusCall, _ client: Client) throws(CallError) {
        guard client.sessions.count < BusLimits.sessions else { throw .limit("Close a session first.") }
        let message = call.message
        let algorithm = try read(message.readText())
        let name = newName("s")
        let path = ObjectPath.session(name).text
        switch algorithm {
        case SessionCipher.plainName:
            client.sessions[name] = .plain
            link.reply(to: call) { writer in
                try writer.append(variant: .text(""))
                try writer.append(.path(path))
            }
        case SessionCipher.encryptedName:
            let input = try read(
                message.readVariant { type in
                    guard type == "ay" else { throw BusError(code: BusError.invalid) }
                    return try message.readBytes(atMost: BusLimits.text)
                })
            let (key, publicKey): (SessionKey, [UInt8])
            do {
                (key, publicKey) = try SessionKey.agree(with: input.span.bytes)
            } catch .invalidKey {
                throw .invalidArguments("The input is no public key of the second group of RFC 2409.")
            } catch {
                throw .failed(error.description)
            }
            client.sessions[name] = .encrypted(key)
            link.reply(to: call) { writer in
                try writer.variant(of: "ay") { try writer.append(bytes: publicKey) }
                try writer.append(.path(path))
            }
        default:
            throw .notSupported("Open a session with \(SessionCipher.encryptedName), or \(SessionCipher.plainName).")
        }
    }

    private func createCollection(_ call: BusCall, _ client: Client) throws(CallError) {
        let message = call.message
        var label = ""
        try read(
            message.readProperties { name, type in
                guard name == "\(SecretInterfaces.collection.name).Label" else { return false }
                guard type == "s" else { throw BusError(code: BusError.invalid) }
                label = try message.readText(atMost: BusLimits.text)
                return true
            })
        let alias = try read(message.readText())
        guard alias.isEmpty || CollectionID(alias) != nil else {
            throw .invalidArguments("An alias has letters, digits and underscores only.")
        }
        if !alias.isEmpty, let there = collection(alias: alias) {
            return reply(to: call, object: there.path, prompt: ObjectPath.none)
        }
        let (store, caller) = (store, client.caller)
        let kind = Work.Kind.other(nil) { [label] asking in
            do {
                return .collection(try store.createCollection(label, alias: alias, for: caller, asking))
            } catch {
                return .fault(SecretFault(error))
            }
        }
        let prompt = try addPrompt(
            client,
            PromptObject(kind, dismissed: .path(ObjectPath.none)) { result in
                if case .collection(let id) = result { .path(id.path) } else { nil }
            })
        reply(to: call, object: ObjectPath.none, prompt: prompt)
    }

    /// Answers a call with an object and a prompt, of which one is none.
    func reply(to call: BusCall, object: String, prompt: String) {
        link.reply(to: call) { writer in
            try writer.append(.path(object))
            try writer.append(.path(prompt))
        }
    }

    /// Reads the paths of objects, each once.
    private func readObjects(_ call: BusCall) throws(CallError) -> [String] {
        var known: Set<String> = []
        return try read(call.message.readPaths(atMost: BusLimits.objects)).filter { known.insert($0).inserted }
    }

    private func unlock(_ call: BusCall, _ client: Client) throws(CallError) {
        var unlocked: [String] = []
        var locked: [(path: String, object: ShelfObject)] = []
        for path in try readObjects(call) {
            guard let object = object(at: path) else { continue }
            let isLocked =
                switch object {
                case .collection(let id): store.isLocked(id)
                case .item(let id): store.isLocked(id, for: client.caller)
                }
            if isLocked { locked.append((path, object)) } else { unlocked.append(path) }
        }
        var prompt = ObjectPath.none
        if !locked.isEmpty {
            var objects: [ShelfObject] = []
            var known: Set<ShelfObject> = []
            for (_, object) in locked where known.insert(object).inserted { objects.append(object) }
            prompt = try addPrompt(
                client,
                PromptObject(.unlock(objects), dismissed: .paths([])) { [locked] result in
                    guard case .objects(let list) = result, !list.isEmpty else { return nil }
                    let now = Set(list)
                    // The caller knows an object by the path that it has used.
                    return .paths(locked.filter { now.contains($0.object) }.map { $0.path })
                })
        }
        link.reply(to: call) { [unlocked, prompt] writer in
            try writer.append(.paths(unlocked))
            try writer.append(.path(prompt))
        }
    }

    private func lock(_ call: BusCall, _ client: Client) throws(CallError) {
        var found: [(path: String, object: ShelfObject)] = []
        for path in try readObjects(call) {
            if let object = object(at: path) { found.append((path, object)) }
        }
        let (store, caller, paths, objects) = (store, client.caller, found.map { $0.path }, found.map { $0.object })
        run(client, { try store.lock(objects, for: caller) }, call) { [link] in
            link.reply(to: call) { writer in
                try writer.append(.paths(paths))
                try writer.append(.path(ObjectPath.none))
            }
        }
    }

    /// Runs work that never prompts, and then `reply`, unless there is a fault.
    func run(
        _ client: Client, _ body: @escaping @Sendable () throws -> Void, _ call: BusCall,
        _ reply: @escaping () -> Void
    ) {
        let kind = Work.Kind.other(nil) { _ in
            do {
                try body()
                return .done
            } catch {
                return .fault(SecretFault(error))
            }
        }
        client.errands.add(
            Work(kind) { [self] result in
                if case .fault(let fault) = result { refuse(call, CallError(fault)) } else { reply() }
            })
    }

    private func setAlias(_ call: BusCall, _ client: Client) throws(CallError) {
        let (name, path) = try read((call.message.readText(), call.message.readText()))
        guard CollectionID(name) != nil else {
            throw .invalidArguments("An alias has letters, digits and underscores only.")
        }
        var target: CollectionID?
        if path != ObjectPath.none {
            guard case .collection(let id)? = object(at: path) else { throw .noSuchItem(path) }
            target = id
        }
        let store = store
        run(client, { [target] in try store.setAlias(name, to: target) }, call) { [link] in
            link.reply(to: call)
        }
    }

    // MARK: - Secrets

    private func getSecrets(_ call: BusCall, _ client: Client) throws(CallError) {
        let paths = try readObjects(call)
        let session = try read(call.message.readText())
        let cipher = try client.session(at: session)
        var wanted: [(path: String, item: ShelfItemID)] = []
        for path in paths {
            if case .item(let id)? = object(at: path) { wanted.append((path, id)) }
        }
        if wanted.isEmpty { return reply(to: call, secrets: [], session) }
        let work = Work(.secrets(wanted.map { $0.item })) { [self, wanted] result in
            switch result {
            case .secrets(let secrets):
                var sealed: [(String, SessionCipher.Sealed, String)] = []
                var total = 0
                let byItem = Dictionary(secrets.map { ($0.item, $0) }, uniquingKeysWith: { first, _ in first })
                for (path, item) in wanted {
                    // A secret that does not fit is left out, as if it were locked: the caller can ask for it in another call.
                    guard let secret = byItem[item] else { continue }
                    let size = Self.size(of: secret, path, session)
                    guard total + size <= BusLimits.answer else { continue }
                    guard let box = try? cipher.seal(secret) else { return refuse(call, .notEncrypted) }
                    total += size
                    sealed.append((path, box, secret.contentType))
                }
                reply(to: call, secrets: sealed, session)
            case .fault(.failed(let words)): refuse(call, .failed(words))
            // A secret that the caller does not get is left out.
            case .fault, .objects, .collection, .item, .done: reply(to: call, secrets: [], session)
            }
        }
        client.asks.add(work, milliseconds: millisecondsToAnswer)
    }

    /// Returns the bytes that a secret takes in an answer at most, with its lengths, its padding and the parameters of its
    /// encryption.
    private static func size(of secret: HandedSecret, _ path: String, _ session: String) -> Int {
        secret.bytes.count + path.utf8.count + session.utf8.count + secret.contentType.utf8.count + 128
    }

    private func reply(to call: BusCall, secrets: [(String, SessionCipher.Sealed, String)], _ session: String) {
        link.reply(to: call, isSecret: true) { writer in
            try writer.array(of: "{o\(SecretInterfaces.secret)}") {
                for (path, sealed, contentType) in secrets {
                    try writer.entry(of: "o\(SecretInterfaces.secret)") {
                        try writer.append(.path(path))
                        try sealed.append(to: writer, session, contentType)
                    }
                }
            }
        }
    }
}

extension SessionCipher.Sealed {
    /// Appends the secret to an answer.
    func append(to writer: BusWriter, _ session: String, _ contentType: String) throws {
        try writer.structure(of: "oayays") {
            try writer.append(.path(session))
            try writer.append(bytes: parameters)
            switch ciphertext {
            case .encrypted(let box): try writer.append(bytes: box)
            case .plain(let secret): try secret.bytes.withBytes { try writer.append(bytes: $0) }
            }
            try writer.append(.text(contentType))
        }
    }
}
