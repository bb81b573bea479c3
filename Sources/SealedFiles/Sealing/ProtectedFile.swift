public import AccessPolicy
internal import Glibc
internal import Latchkey
internal import SecretVault
internal import SodiumKit
internal import Synchronization

/// An open file whose content is sealed under the key of its protection class.
///
/// Reading and writing work as long as the class allows it. If the device locks, a file of class A stays open, and cannot
/// be read or written until the unlock; one of class B can be used on. A restart of the device closes every file.
///
/// ```swift
/// let file = try folder.create(folder.path + "/upload", .completeUnlessOpen)
/// try keychain.lock()
/// try file.append(Array("still written".utf8))
/// file.close()                            // from now on, only an unlocked device opens it
/// ```
///
/// Any number of threads, files and processes may use the same content at once. An access is decided when it begins.
public final class ProtectedFile: Sendable {
    /// The path that the file was opened by.
    public let path: String
    private let keychain: Keychain
    private let descriptor: Int32
    private let isWritable: Bool
    /// The restarts of the device until the file was opened.
    private let restarts: UInt64
    private let isClosed = Atomic(false)
    /// The key of a file of class B. It needs no class key any more, so a lock does not end its use.
    private let held: Mutex<Key?>

    /// Takes ownership of the open `descriptor`.
    init(
        _ descriptor: Int32, _ path: String, _ keychain: Keychain, restarts: UInt64, holding key: consuming Key? = nil,
        isWritable: Bool = true
    ) {
        self.descriptor = descriptor
        self.path = path
        self.keychain = keychain
        self.restarts = restarts
        self.isWritable = isWritable
        held = Mutex(key)
    }

    deinit { Glibc.close(descriptor) }

    /// True if this process may write to the file.
    package var mayWrite: Bool { isWritable }

    /// True if the file was closed.
    var isOver: Bool { isClosed.load(ordering: .sequentiallyConsistent) }

    // MARK: - Content

    /// The class of the file.
    public var protection: FileProtection {
        get throws(FileError) { try locked(isWrite: false) { (_) throws(FileError) in try header().protection } }
    }

    /// The number of bytes of content.
    public var size: Int {
        get throws(FileError) {
            try opened(isWrite: false) { (content, _) throws(FileError) in content.size }
        }
    }

    /// The number of bytes of content as the head says it, which needs no key.
    package var plainSize: Int {
        get throws(FileError) { try locked(isWrite: false) { (_) throws(FileError) in try header().plainSize } }
    }

    /// Returns up to `count` bytes of content from this offset. Fewer come at its end.
    public func read(_ count: Int, at offset: Int = 0) throws(FileError) -> [UInt8] {
        precondition(count >= 0 && offset >= 0, "a negative count or offset")
        return try opened(isWrite: false) { (content, key) throws(FileError) in
            let length = min(count, content.size - min(offset, content.size))
            var bytes = [UInt8](repeating: 0, count: length)
            try bytes.lendMutable { (bytes) throws(FileError) in
                try content.read(at: offset, into: bytes, key)
            }
            return bytes
        }
    }

    /// Writes `bytes` at this offset. A gap before them is filled with zeros.
    public func write(_ bytes: [UInt8], at offset: Int) throws(FileError) {
        precondition(offset >= 0, "a negative offset")
        try opened(isWrite: true) { (content, key) throws(FileError) in
            try bytes.lend { (bytes) throws(FileError) in try content.write(bytes, at: offset, key) }
        }
    }

    /// Writes `bytes` after the content.
    public func append(_ bytes: [UInt8]) throws(FileError) {
        try opened(isWrite: true) { (content, key) throws(FileError) in
            let end = content.size
            try bytes.lend { (bytes) throws(FileError) in try content.write(bytes, at: end, key) }
        }
    }

    package func replace(with bytes: UnsafeRawBufferPointer) throws(FileError) {
        try opened(isWrite: true) { (content, key) throws(FileError) in
            try content.resize(to: 0, key)
            try content.write(bytes, at: 0, key)
        }
    }

    /// Cuts the content to this size, or fills it up with zeros.
    public func truncate(to size: Int) throws(FileError) {
        precondition(size >= 0, "a negative size")
        try opened(isWrite: true) { (content, key) throws(FileError) in try content.resize(to: size, key) }
    }

    /// Waits until the content is on the disk.
    public func synchronize() throws(FileError) {
        try locked(isWrite: false) { (_) throws(FileError) in
            guard fsync(descriptor) == 0 else { throw .system(path, errno) }
        }
    }

    /// Closes the file and wipes its key. An access that has begun ends first, and this does not wait for it.
    public func close() {
        isClosed.store(true, ordering: .sequentiallyConsistent)
        wipe()
    }

    private func wipe() { _ = held.withLockIfAvailable { $0 = nil } }

    // MARK: - Keys

    /// Runs `body` while other users of the content wait.
    private func locked<Result: Sendable>(
        isWrite: Bool, _ body: (inout Key?) throws(FileError) -> Result
    ) throws(FileError) -> Result {
        // A close that came too late for the access wipes the key here.
        defer { if isClosed.load(ordering: .sequentiallyConsistent) { wipe() } }
        return try held.withLock { (held) throws(FileError) in
            // A file that is closed meanwhile gives its key up at the end.
            defer { if isClosed.load(ordering: .sequentiallyConsistent) { held = nil } }
            if isClosed.load(ordering: .sequentiallyConsistent) { throw .closed(path) }
            let restarts = try onDevice(path, keychain.vault.restarts)
            guard restarts == self.restarts else {
                isClosed.store(true, ordering: .sequentiallyConsistent)
                throw .closed(path)
            }
            return try whileLocked(descriptor, path, isWrite: isWrite) { () throws(FileError) in try body(&held) }
        }
    }

    /// Runs `body` with the content and the key of the file, if its class allows its use now.
    private func opened<Result: Sendable>(
        isWrite: Bool, _ body: (inout FileContent, borrowing Key) throws(FileError) -> Result
    ) throws(FileError) -> Result {
        try locked(isWrite: isWrite) { (held) throws(FileError) in
            if isWrite, !isWritable { throw .system(path, EACCES) }
            let header = try header()
            // The file may have come to its class after it was opened.
            if !header.protection.isHeldOpen { held = nil }
            let isHeld = Self.isThere(held)
            let access: FileAccess =
                header.protection.isHeldOpen && !isHeld ? .open(header.protection) : .use(header.protection)
            if isHeld {
                let decision = try onDevice(
                    path, keychain.vault.decision(access, about: keychain.subject(header.id, path)))
                guard decision.isGranted else { throw .denied(path, decision.rule, isWrite: isWrite) }
            } else {
                held = try header.key(of: path, on: keychain, to: access, isWrite: isWrite)
            }
            defer { if !header.protection.isHeldOpen { held = nil } }
            guard
                let result = try Self.lend(
                    held,
                    { (key) throws(FileError) in
                        var content = try FileContent(of: descriptor, path, header, key)
                        return try body(&content, key)
                    })
            else { throw .closed(path) }
            return result
        }
    }

    private static func isThere(_ key: borrowing Key?) -> Bool {
        switch key {
        case .some: true
        case .none: false
        }
    }

    private static func lend<Result>(
        _ key: borrowing Key?, _ body: (borrowing Key) throws(FileError) -> Result
    ) throws(FileError) -> Result? {
        switch key {
        case .some(let key): try body(key)
        case .none: nil
        }
    }

    private func header() throws(FileError) -> FileHeader { try FileHeader(reading: descriptor, path) }
}
