public import AccessPolicy
internal import Glibc
internal import LinuxSystem
internal import SecretVault
internal import SodiumKit

// The class of a file or folder, and its exclusion from backups.

extension ProtectedFolder {
    private static let className = "user.latchkey.protection"
    private static let excludedName = "user.latchkey.excluded-from-backup"

    /// Returns the number of bytes of content of a file. That is no secret, so it needs no key.
    public func size(of path: String) throws(FileError) -> Int {
        let (descriptor, _) = try existing(path)
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .system(path, errno) }
        do { return try FileHeader(reading: descriptor, path).plainSize } catch {
            guard case .notSealed = error else { throw error }
            return Int(status.st_size)
        }
    }

    /// Returns the class of a file, or the one that a folder gives to new files; nil if the file is not sealed, or if the
    /// folder has none of its own.
    public func protection(of path: String) throws(FileError) -> FileProtection? {
        if try isFolder(path) {
            guard let name = try attribute(Self.className, of: path) else { return nil }
            // A folder whose class is unknown gives its files none by chance.
            guard let protection = FileProtection(name: name) else { throw .damaged(path) }
            return protection
        }
        let (descriptor, _) = try existing(path)
        defer { close(descriptor) }
        do { return try FileHeader(reading: descriptor, path).protection } catch {
            guard case .notSealed = error else { throw error }
            return nil
        }
    }

    /// Returns the random bytes that identify a sealed file.
    func identifier(of path: String) throws(FileError) -> [UInt8] {
        let (descriptor, _) = try existing(path)
        defer { close(descriptor) }
        return try FileHeader(reading: descriptor, path).id
    }

    /// Moves a file to another class, or sets the class that a folder gives to new files.
    ///
    /// The file keeps its key. If an attacker may have an earlier copy of it, write it anew instead.
    ///
    /// - Throws: ``FileError/denied(_:_:isWrite:)`` if the device cannot open the file, or cannot create one of the other
    ///   class, at this moment. ``FileError/system(_:_:)`` with `EOPNOTSUPP` if the file system keeps no class of a
    ///   folder.
    public func protect(_ path: String, as next: FileProtection) throws(FileError) {
        if try isFolder(path) { return try setAttribute(next.name, Self.className, path) }
        try changeHeader(of: path) { (header) throws(FileError) in
            if header.protection == next { return }
            let access = FileAccess.protect(header.protection, as: next)
            let key = try header.key(of: path, on: keychain, to: access, isWrite: true)
            header.wrapped = try wrapped(key, next, header.id, path)
            header.protection = next
        }
    }

    /// Returns true if backups leave this file or folder out.
    public func isExcludedFromBackup(_ path: String) throws(FileError) -> Bool {
        if try isFolder(path) { return try attribute(Self.excludedName, of: path) != nil }
        let (descriptor, _) = try existing(path)
        defer { close(descriptor) }
        do { return try FileHeader(reading: descriptor, path).isExcludedFromBackup } catch {
            guard case .notSealed = error else { throw error }
            return try attribute(Self.excludedName, of: path) != nil
        }
    }

    /// Excludes a file or folder from backups, or includes it again. An atomic write drops the exclusion, because it
    /// makes a new file.
    public func excludeFromBackup(_ path: String, _ isExcluded: Bool = true) throws(FileError) {
        let isFolder = try isFolder(path)
        let former = try protection(of: path)
        guard !isFolder, former != nil else { return try setAttribute(isExcluded ? "1" : nil, Self.excludedName, path) }
        try changeHeader(of: path) { (header) throws(FileError) in header.isExcludedFromBackup = isExcluded }
    }

    // MARK: - Reaching files

    /// Opens the descriptor of a file that exists: for writing if that is allowed.
    func existing(_ path: String) throws(FileError) -> (descriptor: Int32, isWritable: Bool) {
        for (flags, isWritable) in [(O_RDWR, true), (O_RDONLY, false)] {
            let descriptor = LinuxSystem.open(path, flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
            if descriptor >= 0 {
                var status = stat()
                if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG {
                    return (descriptor, isWritable)
                }
                close(descriptor)
                throw .system(path, status.st_mode & S_IFMT == S_IFDIR ? EISDIR : EINVAL)
            }
            guard isWritable, [EACCES, EPERM, EROFS].contains(errno) else { throw .system(path, errno) }
        }
        throw .system(path, EACCES)
    }

    /// Returns the content of a file that is not sealed.
    func plainContent(of path: String) throws(FileError) -> [UInt8] {
        let (descriptor, _) = try existing(path)
        defer { close(descriptor) }
        var content: [UInt8] = []
        var part = [UInt8](repeating: 0, count: Chunk.size)
        while true {
            let found = try part.lendMutable { (part) throws(FileError) in
                try readFully(descriptor, path, into: part, at: content.count)
            }
            content += part[..<found]
            if found < part.count { return content }
        }
    }

    /// Returns the class that a new file at this path gets from the folders above it.
    func inherited(at path: String) throws(FileError) -> FileProtection {
        let top = OpenFolders.withoutLinks(self.path)
        var rest = OpenFolders.withoutLinks(path)
        while let (above, _) = SystemPath.split(rest), OpenFolders.isBelow(above, top) {
            if let found = try protection(of: above) { return found }
            rest = above
        }
        return .usual
    }

    func isFolder(_ path: String) throws(FileError) -> Bool {
        var status = stat()
        guard path.withPath({ fstatat(AT_FDCWD, $0, &status, 0) }) == 0 else { throw .system(path, errno) }
        return status.st_mode & S_IFMT == S_IFDIR
    }

    private func attribute(_ name: String, of path: String) throws(FileError) -> String? {
        let (text, code) = ExtendedAttribute.read(name, of: path)
        guard code == 0 else { throw .system(path, code) }
        return text
    }

    private func setAttribute(_ text: String?, _ name: String, _ path: String) throws(FileError) {
        let code = ExtendedAttribute.write(text, as: name, to: path)
        guard code == 0 else { throw .system(path, code) }
    }

    /// Changes the head of the file that is at this path now.
    private func changeHeader(
        of path: String, _ body: (inout FileHeader) throws(FileError) -> Void
    ) throws(FileError) {
        while true {
            let (descriptor, isWritable) = try existing(path)
            defer { close(descriptor) }
            guard isWritable else { throw .system(path, EACCES) }
            let isDone = try whileLocked(descriptor, path, isWrite: true) { () throws(FileError) in
                // Another file may have taken the place before the lock was free.
                guard try isAt(path, descriptor) else { return false }
                var header = try FileHeader(reading: descriptor, path)
                try body(&header)
                try writeFully(header.bytes, to: descriptor, path, at: 0)
                return true
            }
            if isDone { return }
        }
    }

    private func isAt(_ path: String, _ descriptor: Int32) throws(FileError) -> Bool {
        var (open, there) = (stat(), stat())
        guard fstat(descriptor, &open) == 0, path.withPath({ fstatat(AT_FDCWD, $0, &there, 0) }) == 0 else {
            throw .system(path, errno)
        }
        return open.st_dev == there.st_dev && open.st_ino == there.st_ino
    }
}
