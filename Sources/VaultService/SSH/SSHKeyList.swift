package import AgentProtocol
internal import Glibc
internal import LinuxSystem
internal import PlainText
package import SSHProtocol
internal import Synchronization

/// A key that SSH clients see, as the list has it and in the forms that the protocol needs.
package struct SSHListedKey: Hashable, Sendable {
    package let entry: SSHKeyEntry
    package let key: SSHPublicKey
    package let destinations: [SSHDestination]

    package var blob: [UInt8] { key.blob }

    /// Reads an entry. Returns nil if a key in it is not valid.
    init?(_ entry: SSHKeyEntry) {
        guard !entry.name.isEmpty, let blob = Base64.bytes(entry.key), let key = SSHPublicKey(blob: blob),
            !key.isCertificate
        else { return nil }
        var destinations: [SSHDestination] = []
        for destination in entry.destinations {
            guard let to = Self.host(destination.to, destination.toKeys) else { return nil }
            var from: SSHDestination.Host?
            if let name = destination.from {
                guard let host = Self.host(name, destination.fromKeys) else { return nil }
                from = host
            }
            destinations.append(SSHDestination(from: from, to: to, user: destination.user))
        }
        (self.entry, self.key, self.destinations) = (entry, key, destinations)
    }

    /// Returns the key as it is after `latchkey ssh add` where there was another entry: with the limits of that one, unless
    /// it has its own, or is for any host. Returns nil if those limits are not valid.
    fileprivate func keepingLimits(of former: SSHListedKey?) -> SSHListedKey? {
        var next = entry
        if let former, entry.destinations.isEmpty, !entry.isForAnyHost { next.destinations = former.entry.destinations }
        // Only a request says so. A list has the destinations.
        next.isForAnyHost = false
        return SSHListedKey(next)
    }

    private static func host(_ name: String, _ keys: [String]) -> SSHDestination.Host? {
        let blobs = keys.compactMap { Base64.bytes($0) }
        // A host without keys would be one that no binding matches, and a key for nowhere.
        guard !name.isEmpty, blobs.count == keys.count, !blobs.isEmpty,
            blobs.allSatisfy({ SSHPublicKey(blob: $0) != nil })
        else { return nil }
        return SSHDestination.Host(name: name, keys: blobs)
    }
}

/// The keys that SSH clients see, in a file of the vault. It has only public halves, so it is readable while the vault is
/// locked.
package final class SSHKeyList: Sendable {
    private struct State {
        var keys: [SSHListedKey] = []
        /// The reason why the file has more than these keys, or cannot be read; nil if neither is so.
        var trouble: String?
    }

    private let path: String
    /// The folder for files of public keys.
    let publicFolder: String
    private let state: Mutex<State>

    /// The most keys.
    private static let limit = 256
    private static let longest = 4 * 1024 * 1024
    private static let version: Int64 = 1

    /// Reads the list of a vault. If it cannot be read, SSH clients see no keys, and nothing changes the list.
    init(_ place: AgentPlace) {
        path = place.sshKeysFile
        publicFolder = place.sshFolder
        state = Mutex(Self.read(path))
    }

    private static func read(_ path: String) -> State {
        var status = stat()
        guard path.withPath({ lstat($0, &status) }) == 0 else {
            return State(trouble: errno == ENOENT ? nil : "it cannot be read")
        }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid() else {
            return State(trouble: "it is no file of yours")
        }
        guard status.st_mode & 0o022 == 0 else { return State(trouble: "other users can change it") }
        guard Int(status.st_size) <= longest, let bytes = SystemFile.regularBytes(path, atMost: longest) else {
            return State(trouble: "it cannot be read")
        }
        guard var head = try? WireObject(bytes), let found = try? head.consumeNumber("version"),
            let values = try? head.consumeList("keys")
        else { return State(trouble: "it is damaged") }
        guard found == version else { return State(trouble: "another version of Latchkey wrote it") }
        var state = State()
        state.keys = values.prefix(limit).compactMap { value in
            guard var fields = WireObject(value), let entry = try? SSHKeyEntry(reading: &fields) else { return nil }
            return SSHListedKey(entry)
        }
        if state.keys.count < values.count { state.trouble = "an entry in it is damaged" }
        return state
    }

    /// The keys, in the order in which they were added.
    package var all: [SSHListedKey] { state.withLock { $0.keys } }

    package func key(_ blob: [UInt8]) -> SSHListedKey? { state.withLock { $0.keys.first { $0.blob == blob } } }

    /// Reads the list again if there was trouble with it.
    ///
    /// - Throws: `AgentError` if there still is. To write the list then would destroy what it has.
    func requireReadable() throws(AgentError) {
        try state.withLock { (state) throws(AgentError) in try requireReadable(&state) }
    }

    private func requireReadable(_ state: inout State) throws(AgentError) {
        if state.trouble != nil { state = Self.read(path) }
        guard let trouble = state.trouble else { return }
        throw AgentError(
            .damaged,
            "the list of keys for SSH clients stays as it is, because \(trouble): look at \(path), and mend it or move "
                + "it away")
    }

    /// Adds a key, or replaces its former entry. Its limits to hosts stay unless the new entry has others, or is for any
    /// host. Returns the entry as it is now.
    func add(_ wanted: SSHListedKey) throws(AgentError) -> SSHListedKey {
        try state.withLock { (state) throws(AgentError) in
            try requireReadable(&state)
            guard let key = wanted.keepingLimits(of: state.keys.first(where: { $0.blob == wanted.blob })) else {
                throw AgentError(.damaged, "the limits of \(wanted.entry.name) are damaged: give new ones with --to")
            }
            let former = state.keys.filter { $0.blob == key.blob || $0.entry.name == key.entry.name }
            var next = state.keys.filter { !former.contains($0) }
            guard next.count < Self.limit else {
                throw AgentError(.request, "SSH clients see \(Self.limit) keys already: remove one first")
            }
            if let fault = SSHKeyEntry.fault(ofFileFor: key.entry.name, beside: next.map(\.entry.name)) { throw fault }
            next.append(key)
            try save(next)
            state.keys = next
            for file in former.map({ publicFile(of: $0) }) where file != publicFile(of: key) {
                file.withPath { _ = unlink($0) }
            }
            try writePublicFile(of: key)
            return key
        }
    }

    private func writePublicFile(of key: SSHListedKey) throws(AgentError) {
        guard mkdir(publicFolder, 0o700) == 0 || errno == EEXIST else { throw .system(publicFolder) }
        let file = publicFile(of: key)
        do throws(SystemError) {
            let comment = Terminal.line(key.entry.comment, longest: 200)
            try OutputFile.replacePrivate(file, with: key.key.line(comment: comment) + "\n")
        } catch { throw .system(file, error.code) }
    }

    /// Removes keys. Returns false if there is none.
    ///
    /// - Throws: `AgentError` if the list cannot be read or written.
    @discardableResult
    package func remove(where isUnwanted: (SSHListedKey) -> Bool) throws(AgentError) -> Bool {
        try state.withLock { (state) throws(AgentError) in
            let gone = state.keys.filter(isUnwanted)
            if gone.isEmpty { return false }
            try requireReadable(&state)
            let next = state.keys.filter { !isUnwanted($0) }
            try save(next)
            state.keys = next
            for key in gone { publicFile(of: key).withPath { _ = unlink($0) } }
            return true
        }
    }

    /// The path of the file with the public key, which `IdentityFile` of ssh can name.
    func publicFile(of key: SSHListedKey) -> String { publicFolder + "/" + SSHKeyEntry.fileName(of: key.entry.name) }

    private func save(_ keys: [SSHListedKey]) throws(AgentError) {
        let head = WireObject([
            "version": .number("\(Self.version)"), "keys": .array(keys.map { .object($0.entry.head.fields) }),
        ])
        do throws(SystemError) { try OutputFile.replacePrivate(path, with: head.text + "\n") } catch {
            throw .system(path, error.code)
        }
    }
}
