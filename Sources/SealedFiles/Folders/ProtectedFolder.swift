public import AccessPolicy
internal import Glibc
public import Latchkey
internal import LinuxSystem
internal import SecretVault
internal import SodiumKit
internal import Synchronization

/// A folder whose files are sealed under the protection classes of a device.
///
/// ```swift
/// let folder = try ProtectedFolder(keychain, at: path)
/// let today = folder.path + "/today"
/// try folder.write(Array("met the auditor".utf8), to: today, .complete)
/// try keychain.lock()
/// let entry = try? folder.read(today)     // nil: the file is closed until the unlock
/// ```
///
/// The content of a file is sealed. Names, sizes and the structure of folders are as on any disk. A file that another
/// program puts into the folder is not sealed: it is read as it is.
///
/// All paths are absolute. Any number of threads may use a folder at once.
public final class ProtectedFolder: Sendable {
    /// The path of the folder.
    public let path: String
    let keychain: Keychain
    var vault: Vault { keychain.vault }
    /// The public half of class B, which a locked device needs to create files.
    let half: ClassBHalf
    private let files = Mutex<[WeakFile]>([])

    private struct WeakFile: Sendable {
        weak let file: ProtectedFile?
    }

    /// Opens a folder of a device, and creates it if it does not exist.
    ///
    /// - Throws: ``FileError`` if the folder cannot be created.
    public convenience init(_ keychain: Keychain, at path: String) throws(FileError) {
        try self.init(keychain, at: path, ClassBHalf(keptIn: path))
    }

    /// Opens a folder of a device that only this process uses, and that may be locked by now.
    ///
    /// - Parameters:
    ///   - keychain: The keychain of the device.
    ///   - path: The path of the folder.
    ///   - half: What ``half(of:)`` returned while the device was unlocked.
    package convenience init(_ keychain: Keychain, at path: String, half: [UInt8]?) throws(FileError) {
        try self.init(keychain, at: path, ClassBHalf(half))
    }

    /// Returns what a folder of a device needs to create files of class B while the device is locked; nil if it is locked
    /// already.
    package static func half(of keychain: Keychain) -> [UInt8]? { half(of: keychain, known: nil) }

    /// Returns the half; nil if `known` has it already.
    private static func half(of keychain: Keychain, known: [UInt8]?) -> [UInt8]? {
        let answer = try? keychain.vault.createFileKey(
            .completeUnlessOpen, for: FileHeader.newID(), half: known, about: nil)
        guard let answer, case .granted(let key) = consume answer, let key else { return nil }
        return key.half
    }

    /// Takes from the device, which is about to lock, what it needs to create files of class B while it is locked.
    package func prepare() {
        if half.known == nil { makeHalf() }
    }

    private init(_ keychain: Keychain, at path: String, _ half: ClassBHalf) throws(FileError) {
        precondition(path.hasPrefix("/"), "the path of a folder is absolute")
        var path = path
        while path.hasSuffix("/"), path.utf8.count > 1 { path.removeLast() }
        self.path = path
        self.keychain = keychain
        self.half = half
        if mkdir(path, 0o700) != 0, errno != EEXIST { throw .system(path, errno) }
        guard try isFolder(path) else { throw .system(path, ENOTDIR) }
        half.load()
        OpenFolders.add(self)
        // An unlocked device makes its key for class B now, so that it is there after a lock.
        makeHalf()
    }

    /// Makes the half for class B with a key for no file, if the device is unlocked. It is no access to a file.
    private func makeHalf() {
        guard let box = Self.half(of: keychain, known: half.known) else { return }
        half.keep(box)
    }

    deinit { OpenFolders.remove(self) }

    /// Returns the open folder that contains this absolute path; nil if none does.
    public static func containing(_ path: String) -> ProtectedFolder? { OpenFolders.containing(path) }

    /// Closes every file of the folder that is open, as a restart of the device does.
    package func closeFiles() {
        let open = files.withLock { files in
            defer { files = [] }
            return files
        }
        for weak in open { weak.file?.close() }
    }

    /// Returns true if this process holds the file at this path open.
    package func isOpen(_ path: String) -> Bool {
        files.withLock { files in files.contains { $0.file.map { $0.path == path && !$0.isOver } ?? false } }
    }

    /// Removes everything in the folder, as an erasure of the device does.
    package func removeEverything() {
        half.forget()
        TemporaryPlace.empty(path)
    }

    // MARK: - Opening

    /// Creates a file and opens it.
    ///
    /// - Parameters:
    ///   - path: The path of the file, at which there is none yet.
    ///   - protection: The class; by default that of the folder.
    public func create(_ path: String, _ protection: FileProtection? = nil) throws(FileError) -> ProtectedFile {
        let next = try newClass(protection, nil, path)
        let restarts = try restarts(path)
        let new = try newKey(next, path)
        let held: Key? = next.isHeldOpen ? try new.copied(path) : nil
        let descriptor = try draft(of: path, new, for: [].withUnsafeBytes { $0 }, overwrites: false)
        return note(ProtectedFile(descriptor, path, keychain, restarts: restarts, holding: held))
    }

    /// Opens a file to read and write it.
    ///
    /// - Throws: ``FileError/notSealed(_:)`` if another program put the file there.
    public func open(_ path: String) throws(FileError) -> ProtectedFile { try open(path, isWrite: false) }

    private func open(_ path: String, isWrite: Bool) throws(FileError) -> ProtectedFile {
        let restarts = try restarts(path)
        let (descriptor, isWritable) = try existing(path)
        do {
            let header = try FileHeader(reading: descriptor, path)
            let key = try header.key(of: path, on: keychain, to: .open(header.protection), isWrite: isWrite)
            let held: Key? = header.protection.isHeldOpen ? consume key : nil
            return note(
                ProtectedFile(descriptor, path, keychain, restarts: restarts, holding: held, isWritable: isWritable))
        } catch {
            Glibc.close(descriptor)
            throw error
        }
    }

    private func restarts(_ path: String) throws(FileError) -> UInt64 {
        try onDevice(path, vault.restarts)
    }

    private func note(_ file: ProtectedFile) -> ProtectedFile {
        files.withLock { files in
            files.removeAll { $0.file == nil }
            files.append(WeakFile(file: file))
        }
        return file
    }

    // MARK: - Whole files

    /// Returns the content of a file. A file that is not sealed is returned as it is.
    public func read(_ path: String) throws(FileError) -> [UInt8] {
        let file: ProtectedFile
        do { file = try open(path) } catch {
            guard case .notSealed = error else { throw error }
            return try plainContent(of: path)
        }
        defer { file.close() }
        return try file.read(.max)
    }

    /// Writes a whole file.
    ///
    /// - Parameters:
    ///   - bytes: The content.
    ///   - path: The path of the file.
    ///   - protection: The class. By default a file keeps its class, and a new one has that of its folder.
    ///   - atomically: Pass true to write a new file that takes the place of the former one. That needs no access to the
    ///     former file, and drops its exclusion from backups.
    ///   - overwrites: Pass false to throw if the file exists.
    public func write(
        _ bytes: [UInt8], to path: String, _ protection: FileProtection? = nil, atomically: Bool = false,
        overwrites: Bool = true
    ) throws(FileError) {
        try bytes.lend { (bytes) throws(FileError) in
            try write(bytes, to: path, protection, atomically: atomically, overwrites: overwrites)
        }
    }

    /// Writes a whole file from memory that the caller lends.
    public func write(
        _ bytes: UnsafeRawBufferPointer, to path: String, _ protection: FileProtection? = nil,
        atomically: Bool = false, overwrites: Bool = true
    ) throws(FileError) {
        let isThere = access(path, F_OK) == 0
        if isThere, !overwrites { throw .system(path, EEXIST) }
        let former = isThere ? try self.protection(of: path) : nil
        let next = try newClass(protection, former, path)
        var isExcluded = false
        if let former, !atomically {
            if next == former {
                let file = try open(path, isWrite: true)
                defer { file.close() }
                return try file.replace(with: bytes)
            }
            // A file that moves to another class gets another key, so that no earlier copy of its head opens it.
            let id = try identifier(of: path)
            let decision = try onDevice(
                path, vault.decision(.protect(former, as: next), about: keychain.subject(id, path)))
            guard decision.isGranted else { throw .denied(path, decision.rule, isWrite: true) }
            isExcluded = try isExcludedFromBackup(path)
        }
        var new = try newKey(next, path)
        new.header.isExcludedFromBackup = isExcluded
        Glibc.close(try draft(of: path, new, for: bytes, overwrites: overwrites))
    }

    /// Writes a new file beside this path, and moves it there once it is complete. Returns its descriptor.
    private func draft(
        of path: String, _ new: borrowing New, for bytes: UnsafeRawBufferPointer, overwrites: Bool
    ) throws(FileError) -> Int32 {
        guard let (above, _) = SystemPath.split(path) else { throw .system(path, ENOENT) }
        let draft = "\(above)/.latchkey-\(new.header.id.map { String($0, radix: 16) }.joined())"
        let descriptor = LinuxSystem.open(draft, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .system(path, errno) }
        do throws(FileError) {
            var content = FileContent(new: descriptor, path, new.header)
            try content.begin(new.made.key)
            try content.write(bytes, at: 0, new.made.key)
            if overwrites {
                guard fsync(descriptor) == 0, rename(draft, path) == 0 else { throw .system(path, errno) }
            } else {
                let code = NewFile.place(draft, at: path)
                guard code == 0 else { throw .system(path, code) }
            }
            return descriptor
        } catch {
            unlink(draft)
            Glibc.close(descriptor)
            throw error
        }
    }

    /// Returns the class of a new file: the one that the caller names, that of the former file, or that of the folder.
    private func newClass(
        _ named: FileProtection?, _ former: FileProtection?, _ path: String
    ) throws(FileError) -> FileProtection {
        if let known = named ?? former { return known }
        return try inherited(at: path)
    }

    // MARK: - Keys

    /// The head and the key of a new file.
    private struct New: ~Copyable {
        var header: FileHeader
        let made: NewFileKey

        func copied(_ path: String) throws(FileError) -> Key {
            try onKeys(path, made.key.copy())
        }
    }

    private func newKey(_ protection: FileProtection, _ path: String) throws(FileError) -> New {
        let id = FileHeader.newID()
        let identity = FileHeader.identity(id, protection)
        let answer = try onDevice(
            path, vault.createFileKey(protection, for: identity, half: half.known, about: keychain.subject(id, path)))
        switch consume answer {
        case .denied(let rule): throw .denied(path, rule, isWrite: true)
        case .granted(let found):
            guard let found else { throw .noKeyYet(path) }
            if let box = found.half { half.keep(box) }
            return New(header: FileHeader(protection, id: id, wrapped: found.wrapped), made: found)
        }
    }

    /// Returns the key of a file, wrapped for another class.
    func wrapped(
        _ key: borrowing Key, _ next: FileProtection, _ id: [UInt8], _ path: String
    ) throws(FileError) -> [UInt8] {
        let answer: FileAnswer<[UInt8]?>
        do {
            answer = try vault.wrapFileKey(key, next, for: FileHeader.identity(id, next), half: half.known)
        } catch {
            throw .device(path, reason: "\(error)")
        }
        switch consume answer {
        case .denied(let rule): throw .denied(path, rule, isWrite: true)
        case .granted(let wrapped):
            guard let wrapped else { throw .noKeyYet(path) }
            return wrapped
        }
    }
}
