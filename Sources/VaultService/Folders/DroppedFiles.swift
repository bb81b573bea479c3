internal import AccessPolicy
internal import AgentProtocol
internal import Glibc
internal import Latchkey
internal import LinuxSystem
internal import PlainText
internal import SealedFiles
internal import SecretVault
internal import SodiumKit
internal import Synchronization

/// Files that wait for an encrypted folder to open. The kernel creates no file in a locked folder, so each is sealed under
/// the folder's protection class, in the folder of the vault, and moved once the folder is open.
///
/// A file lies at `drops/FOLDER/NUMBER/NAME`. A draft that is not complete has a dot before its number.
final class DroppedFiles: Sendable {
    private let keychain: Keychain
    private let top: String
    private let sealed = Mutex<ProtectedFolder?>(nil)
    /// Held while files are moved, so that no file is moved twice.
    private let moving = Mutex(())

    private static let part = 1 << 20

    init(_ keychain: Keychain, in top: String) {
        self.keychain = keychain
        self.top = top
    }

    /// Makes the key with which a locked vault creates files of class B, while it is unlocked.
    func prepare() { (try? folder())?.prepare() }

    private func folder() throws(FileError) -> ProtectedFolder {
        try sealed.withLock { (sealed) throws(FileError) in
            if let sealed { return sealed }
            let made = try ProtectedFolder(keychain, at: top)
            sealed = made
            return made
        }
    }

    /// The number of files that wait for a folder.
    func count(of identifier: String) -> Int { waiting(for: identifier).count }

    private func waiting(for identifier: String) -> [String] {
        SystemPath.names(in: "\(top)/\(identifier)").filter { !$0.hasPrefix(".") }.map { "\(top)/\(identifier)/\($0)" }
    }

    // MARK: - Dropping

    /// Seals a copy of the file at `path`, with its time and mode. When this returns, the copy is on the disk.
    func add(_ path: String, for folder: EncryptedFolder) throws(AgentError) {
        guard let name = SystemPath.split(path)?.name, !name.isEmpty else {
            throw AgentError(.request, "\(path) is not the path of a file")
        }
        let source = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
        guard source >= 0 else { throw AgentError(.request, "\(path): \(SystemError.last)") }
        defer { close(source) }
        var status = stat()
        guard fstat(source, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw AgentError(.request, "\(path) is not a file: drop the files of a folder one by one")
        }
        // The bits of the group are then the most that the list grants to anyone, and the copy has no list.
        if Attributes.mayHaveAccessList(source) { status.st_mode &= ~mode_t(S_IRWXG) }
        // What the system tells of the agent is not for its clients.
        let type = MountedFileSystem(of: source)?.type ?? "proc"
        if ["proc", "sysfs", "debugfs", "tracefs"].contains(type) {
            throw AgentError(.request, "\(path) is a file of the system: copy it first")
        }
        do throws(FileError) { try seal(source, status, name, path, folder) } catch {
            guard case .denied(_, let rule, _) = error else { throw AgentError(.vault, "\(error)") }
            throw AgentError(
                .locked, "\(folder.path) takes no files now: \(rule.summary). To open it, run `latchkey unlock`",
                rule: rule.identifier)
        }
    }

    private func seal(
        _ source: Int32, _ status: stat, _ name: String, _ path: String, _ folder: EncryptedFolder
    ) throws(FileError) {
        let sealed = try self.folder()
        let place = "\(top)/\(folder.identifier)"
        let number = Hexadecimal.text(Sodium.randomBytes(16))
        let draft = "\(place)/.\(number)"
        if mkdir(place, 0o700) != 0, errno != EEXIST { throw .system(place, errno) }
        guard mkdir(draft, 0o700) == 0 else { throw .system(draft, errno) }
        var isComplete = false
        defer { if !isComplete { TemporaryPlace.remove(draft) } }
        let file = try sealed.create("\(draft)/\(name)", folder.protection.ofFiles)
        defer { file.close() }
        var bytes = [UInt8](repeating: 0, count: Self.part)
        defer { bytes.withUnsafeMutableBytes { Sodium.wipe($0) } }
        while true {
            let count = bytes.withUnsafeMutableBytes { read(source, $0.baseAddress, $0.count) }
            if count < 0 { throw .system(path, errno) }
            if count == 0 { break }
            try file.append(Array(bytes[..<count]))
        }
        Attributes.set(status, at: "\(draft)/\(name)")
        try file.synchronize()
        // The client may delete the original after this.
        try SyncedFolder.sync(draft)
        guard rename(draft, "\(place)/\(number)") == 0 else { throw .system(draft, errno) }
        isComplete = true
        do { for folder in [place, top] { try SyncedFolder.sync(folder) } } catch {
            // The client keeps its file, and tries again.
            TemporaryPlace.remove("\(place)/\(number)")
            throw error
        }
    }

    /// Deletes the files that wait for a folder.
    func discard(_ identifier: String) { TemporaryPlace.remove("\(top)/\(identifier)") }

    // MARK: - Moving

    /// Moves the files that wait for a folder into it. Returns true if none is left.
    @discardableResult
    func move(into folder: EncryptedFolder) -> Bool {
        moving.withLock { _ in
            var areAllMoved = true
            for place in waiting(for: folder.identifier) {
                for name in SystemPath.names(in: place) {
                    if (try? move("\(place)/\(name)", name, into: folder)) != true { areAllMoved = false }
                }
                rmdir(place)
            }
            return areAllMoved
        }
    }

    /// Moves one file. Returns false if the folder is not open.
    private func move(_ path: String, _ name: String, into folder: EncryptedFolder) throws -> Bool {
        let target = open(folder.path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard target >= 0 else { return false }
        defer { close(target) }
        guard let identifier = FolderKeyIdentifier(folder.identifier),
            try FolderKeys.encryption(of: target) == .encrypted(identifier)
        else { return false }
        let sealed = try self.folder()
        let file = try sealed.open(path)
        defer { file.close() }
        var status = stat()
        guard lstat(path, &status) == 0 else { return false }
        // The number of the drop, which is random: a draft of this name is this file's, from a try that was cut off.
        let number = SystemPath.split(SystemPath.split(path)?.above ?? "")?.name ?? ""
        let draft = FolderEntry(".latchkey-drop-\(number)", in: target)
        try? draft.remove(isFolder: false)
        defer { try? draft.remove(isFolder: false) }
        guard try write(file, to: draft, status, folder) else { return false }
        for count in 1...10_000 {
            let place = FolderEntry(Self.name(name, count), in: target)
            do throws(SystemError) { try place.makeHardLink(to: draft) } catch {
                guard error.code == EEXIST, count < 10_000 else { throw error }
                // An earlier try may have been cut off after it had given the file its name.
                guard try Self.isSame(place, draft) else { continue }
            }
            break
        }
        guard fsync(target) == 0 else { throw SystemError.last }
        unlink(path)
        return true
    }

    /// Writes the content of a sealed file to a new one. Returns false if the folder has to be locked meanwhile.
    private func write(
        _ file: ProtectedFile, to draft: FolderEntry, _ status: stat, _ folder: EncryptedFolder
    ) throws -> Bool {
        let descriptor = try draft.open(O_WRONLY | O_CREAT | O_EXCL, 0o600)
        defer { close(descriptor) }
        let size = try file.size
        var offset = 0
        while offset < size {
            // Reading the file is decided and recorded as well. This asks about the folder.
            let decision = try keychain.vault.decision(.open(folder.protection.ofFiles), about: nil)
            guard decision.isGranted else { return false }
            var bytes = try file.read(Self.part, at: offset)
            defer { bytes.withUnsafeMutableBytes { Sodium.wipe($0) } }
            if bytes.isEmpty { return false }
            offset += bytes.count
            var rest = bytes.span.bytes
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
                guard count > 0 else { throw SystemError.last }
                rest = rest.extracting(droppingFirst: count)
            }
        }
        fchmod(descriptor, status.st_mode & 0o777)
        var times = [status.st_atim, status.st_mtim]
        futimens(descriptor, &times)
        guard fsync(descriptor) == 0 else { throw SystemError.last }
        return true
    }

    /// Returns a name for the file, of which others may be taken: `notes.txt`, then `notes (2).txt`.
    static func name(_ name: String, _ count: Int) -> String {
        if count == 1 { return name }
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot > name.utf8.startIndex else {
            return "\(name) (\(count))"
        }
        return "\(Substring(name.utf8[..<dot])) (\(count))\(Substring(name.utf8[dot...]))"
    }

    private static func isSame(_ entry: FolderEntry, _ other: FolderEntry) throws -> Bool {
        let files = [entry, other].map { (try? $0.open(O_RDONLY)) ?? -1 }
        defer { for file in files where file >= 0 { close(file) } }
        guard files.allSatisfy({ $0 >= 0 }) else { return false }
        var parts = [[UInt8](repeating: 0, count: part), [UInt8](repeating: 0, count: part)]
        while true {
            let counts = (0..<2).map { which in
                parts[which].withUnsafeMutableBytes { read(files[which], $0.baseAddress, $0.count) }
            }
            guard counts[0] >= 0, counts[0] == counts[1] else { return false }
            if counts[0] == 0 { return true }
            if parts[0][..<counts[0]] != parts[1][..<counts[0]] { return false }
        }
    }
}

/// The time and mode of a file that is sealed.
private enum Attributes {
    /// Returns true if an open file has an access control list, or the system does not tell.
    static func mayHaveAccessList(_ file: Int32) -> Bool {
        guard let attributes = try? ExtendedAttributes(of: file) else { return true }
        return attributes.values["system.posix_acl_access"] != nil
    }

    static func set(_ status: stat, at path: String) {
        _ = chmod(path, status.st_mode & 0o777 | 0o600)  // this process has to read it
        var times = [status.st_atim, status.st_mtim]
        _ = path.withPath { utimensat(AT_FDCWD, $0, &times, 0) }
    }
}

/// A folder whose entries are on the disk after a call.
private enum SyncedFolder {
    static func sync(_ path: String) throws(FileError) {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system(path, errno) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw .system(path, errno) }
    }
}
