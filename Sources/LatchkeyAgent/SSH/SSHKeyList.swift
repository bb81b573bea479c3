internal import Glibc
internal import LinuxSystem
internal import PlainText
internal import SSHProtocol
internal import Synchronization

/// A key that SSH clients see, as the list has it and in the forms that the protocol needs.
struct SSHListedKey: Hashable, Sendable {
    let entry: SSHKeyEntry
    let key: SSHPublicKey
    let destinations: [SSHDestination]

    var blob: [UInt8] { key.blob }

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
final class SSHKeyList: Sendable {
    private let path: String
    /// The folder for files of public keys.
    let publicFolder: String
    private let keys: Mutex<[SSHListedKey]>

    /// The most keys.
    private static let limit = 256
    private static let longest = 4 * 1024 * 1024

    /// Reads the list of a vault. An entry that is not valid is left out, as is a list that another user has written.
    init(_ place: AgentPlace) {
        path = place.sshKeysFile
        publicFolder = place.sshFolder
        keys = Mutex(Self.read(path))
    }

    private static func read(_ path: String) -> [SSHListedKey] {
        var status = stat()
        guard path.withPath({ lstat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFREG,
            status.st_uid == geteuid(), status.st_mode & 0o022 == 0, Int(status.st_size) <= longest,
            let bytes = SystemFile.bytes(path), var head = try? Head(bytes), let values = try? head.consumeList("keys")
        else { return [] }
        return values.prefix(limit).compactMap { value in
            guard var fields = Head(value), let entry = try? SSHKeyEntry(reading: &fields) else { return nil }
            return SSHListedKey(entry)
        }
    }

    /// The keys, in the order in which they were added.
    var all: [SSHListedKey] { keys.withLock { $0 } }

    /// Returns the key with this blob.
    func key(_ blob: [UInt8]) -> SSHListedKey? { keys.withLock { $0.first { $0.blob == blob } } }

    /// Adds a key, or replaces its former entry.
    func add(_ key: SSHListedKey) throws(AgentError) {
        try keys.withLock { (keys) throws(AgentError) in
            var next = keys.filter { $0.blob != key.blob && $0.entry.name != key.entry.name }
            guard next.count < Self.limit else {
                throw AgentError(.request, "SSH clients see \(Self.limit) keys already: remove one first")
            }
            if let other = next.first(where: { publicFile(of: $0) == publicFile(of: key) }) {
                throw AgentError(
                    .exists,
                    "the file of the public key would be that of \(other.entry.name): choose another name for the key")
            }
            next.append(key)
            try save(next)
            keys = next
        }
        guard mkdir(publicFolder, 0o700) == 0 || errno == EEXIST else { throw .system(publicFolder) }
        let file = publicFile(of: key)
        do throws(SystemError) {
            let comment = Terminal.line(key.entry.comment, longest: 200)
            try OutputFile.replacePrivate(file, with: key.key.line(comment: comment) + "\n")
        } catch { throw .system(file, error.code) }
    }

    /// Removes keys. Returns false if there is none, or if the list cannot be written.
    @discardableResult
    func remove(where isUnwanted: (SSHListedKey) -> Bool) -> Bool {
        keys.withLock { keys in
            let gone = keys.filter(isUnwanted)
            let next = keys.filter { !isUnwanted($0) }
            guard !gone.isEmpty, (try? save(next)) != nil else { return false }
            keys = next
            for key in gone { publicFile(of: key).withPath { _ = unlink($0) } }
            return true
        }
    }

    /// The path of the file with the public key, which `IdentityFile` of ssh can name.
    func publicFile(of key: SSHListedKey) -> String {
        let name = key.entry.name.map { $0 == "/" ? "-" : String($0) }.joined()
        return publicFolder + "/" + (name.hasPrefix(".") ? "_" : "") + name + ".pub"
    }

    private func save(_ keys: [SSHListedKey]) throws(AgentError) {
        let head = Head(["version": .number("1"), "keys": .array(keys.map { .object($0.entry.head.fields) })])
        do throws(SystemError) { try OutputFile.replacePrivate(path, with: head.text + "\n") } catch {
            throw .system(path, error.code)
        }
    }
}
