internal import CLinux
internal import Glibc

/// The kernel's encryption of folders (fscrypt), and the keys that it holds for it.
///
/// A key belongs to a whole file system: every path on it, the folder's own or the mount point, names it. The calls work for every
/// user; each user adds and removes a key for itself. They need read permission for the folder at the path, and follow no symbolic
/// link in its last part.
///
///     let identifier = try FolderKeys.add(key.bytes, to: "/home/me")
///     try FolderKeys.protect(empty: "/home/me/journal", by: identifier)
///     try FolderKeys.remove(identifier, from: "/home/me")
package enum FolderKeys: Sendable {
    /// The number of bytes in a key.
    package static let keyCount = 64

    /// Returns the encryption of the folder at `path`.
    ///
    /// - Throws: ``SystemError`` if the folder cannot be opened.
    package static func encryption(of path: String) throws(SystemError) -> FolderEncryption {
        let folder = try OpenFolder(path)
        return try encryption(of: folder.descriptor)
    }

    /// Returns the encryption of an open file or folder.
    package static func encryption(of descriptor: Int32) throws(SystemError) -> FolderEncryption {
        var bytes = [UInt8](repeating: 0, count: FolderKeyIdentifier.count)
        let code = latchkey_folder_encryption(descriptor, &bytes)
        switch code {
        case 0:
            guard let identifier = FolderKeyIdentifier(bytes: bytes) else { return .foreign }
            return .encrypted(identifier)
        case -1: return .foreign
        case ENODATA: return .plain
        case EOPNOTSUPP, ENOTTY, ENOSYS:
            return .unavailable(trouble(code, MountedFileSystem(of: descriptor)))
        case let code: throw SystemError(code)
        }
    }

    /// Has the kernel encrypt everything that is created in the empty folder at `path` from now on: contents by AES-256-XTS,
    /// names by AES-256-CTS, padded to 32 bytes.
    ///
    /// - Throws: ``SystemError``: `ENOTEMPTY` if the folder has content, `EEXIST` if it is encrypted in another way, `ENOKEY`
    ///   if this user has not added the key, `EACCES` if the folder belongs to another user, `EPERM` for the top folder of an ext4
    ///   file system.
    package static func protect(empty path: String, by identifier: FolderKeyIdentifier) throws(SystemError) {
        let folder = try OpenFolder(path)
        try protect(empty: folder.descriptor, by: identifier)
    }

    /// Does the same for an open folder.
    package static func protect(empty descriptor: Int32, by identifier: FolderKeyIdentifier) throws(SystemError) {
        let code = latchkey_encrypt_folder(descriptor, identifier.bytes)
        guard code == 0 else { throw SystemError(code) }
    }

    /// Gives the file system at `path` a key of ``keyCount`` bytes, for this user. A key that is there already stays.
    ///
    /// The copy for the kernel has a page of its own, which is wiped before this returns.
    ///
    /// - Throws: ``SystemError``: `EINVAL` if the key has another length, `EDQUOT` if the user has too many keys, `EOPNOTSUPP`
    ///   or `ENOTTY` if the file system cannot encrypt.
    package static func add(_ key: RawSpan, to path: String) throws(SystemError) -> FolderKeyIdentifier {
        guard key.byteCount == keyCount else { throw SystemError(EINVAL) }
        let folder = try OpenFolder(path)
        var bytes = [UInt8](repeating: 0, count: FolderKeyIdentifier.count)
        let code = key.withUnsafeBytes { latchkey_add_folder_key(folder.descriptor, $0.baseAddress, &bytes) }
        guard code == 0, let identifier = FolderKeyIdentifier(bytes: bytes) else { throw SystemError(code) }
        return identifier
    }

    /// Takes a key back from the file system at `path`, for this user.
    ///
    /// If no other user has added the key, the kernel wipes it, writes every changed file of the file system to the disk, and
    /// drops decrypted names and contents from memory. So there is no need to sync first, and the call takes as long as what is
    /// left to write. Files that are open stay readable until the last descriptor of each closes; call this again then, or
    /// their contents stay in memory. A folder counts as open too, also as the working folder of a process. So for a path in an
    /// encrypted folder, this calls the kernel on the nearest folder above that the key does not encrypt.
    ///
    /// - Throws: ``SystemError`` if the folder cannot be opened, or its file system cannot encrypt.
    package static func remove(
        _ identifier: FolderKeyIdentifier, from path: String
    ) throws(SystemError) -> KeyRemoval {
        let folder = try OpenFolder(path).outside(identifier)
        var flags: UInt32 = 0
        let code = latchkey_remove_folder_key(folder.descriptor, identifier.bytes, &flags)
        if code == ENOKEY {
            // The kernel says so as well if only other users have added the key.
            return switch try state(of: identifier, at: folder.descriptor) {
            case .present: .remains(KeyHolders(openFiles: false, otherUsers: true))
            case .busy: .remains(KeyHolders(openFiles: true, otherUsers: false))
            case .absent: .absent
            }
        }
        guard code == 0 else { throw SystemError(code) }
        let holders = KeyHolders(openFiles: flags & 1 != 0, otherUsers: flags & 2 != 0)
        return holders.openFiles || holders.otherUsers ? .remains(holders) : .removed
    }

    /// Returns the state of a key in the file system at `path`.
    ///
    /// - Throws: ``SystemError`` if the folder cannot be opened, or its file system cannot encrypt.
    package static func state(of identifier: FolderKeyIdentifier, at path: String) throws(SystemError) -> KeyState {
        let folder = try OpenFolder(path)
        return try state(of: identifier, at: folder.descriptor)
    }

    /// Returns the same for the file system of an open folder.
    package static func state(
        of identifier: FolderKeyIdentifier, at folder: Int32
    ) throws(SystemError) -> KeyState {
        var (state, isOwn, users): (UInt32, Int32, UInt32) = (0, 0, 0)
        let code = latchkey_folder_key_state(folder, identifier.bytes, &state, &isOwn, &users)
        guard code == 0 else { throw SystemError(code) }
        return switch state {
        case 1: .absent
        case 2: .present(byThisUser: isOwn != 0, users: Int(users))
        // A state that this code does not know is not safely absent.
        default: .busy
        }
    }

    /// Tells the parts apart that may lack encryption.
    private static func trouble(_ code: Int32, _ fileSystem: MountedFileSystem?) -> EncryptionTrouble {
        let cause: EncryptionTrouble.Cause
        switch fileSystem?.type {
        case "ext4" where code == ENOTTY, "f2fs" where code == ENOTTY:
            // A kernel before Linux 5.4 knows the older policies only.
            cause = .kernel
        case "ext4", "f2fs":
            let feature = "/sys/fs/\(fileSystem?.type ?? "")/features/encryption"
            cause = access(feature, F_OK) == 0 ? .feature : .kernel
        case "ubifs", "ceph": cause = .kernel
        default: cause = .fileSystemType
        }
        return EncryptionTrouble(cause: cause, fileSystem: fileSystem)
    }
}

/// The outcome of removing a key.
package enum KeyRemoval: Hashable, Sendable {
    /// The key is gone, with everything that it decrypted.
    case removed
    /// There was no such key.
    case absent
    /// Something keeps files readable.
    case remains(KeyHolders)
}

/// The reasons why files stay readable after a key was removed.
package struct KeyHolders: Hashable, Sendable {
    /// Files are open. The key itself is wiped and no other file can be opened, but these stay readable, and others can open them
    /// too.
    package let openFiles: Bool
    /// Another user has added the key too, so that it stays and every file can be opened.
    package let otherUsers: Bool

    package init(openFiles: Bool, otherUsers: Bool) {
        (self.openFiles, self.otherUsers) = (openFiles, otherUsers)
    }
}

/// The state of a key in a file system.
package enum KeyState: Hashable, Sendable {
    case absent
    /// The key is there, added by this number of users, and this user may be one of them.
    case present(byThisUser: Bool, users: Int)
    /// The key is wiped, but files that were open at that time are readable.
    case busy
}

/// A folder that is open for calls on its file system.
private struct OpenFolder: ~Copyable {
    let descriptor: Int32

    init(_ path: String) throws(SystemError) {
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw .last }
    }

    private init(above descriptor: Int32) throws(SystemError) {
        self.descriptor = openat(descriptor, "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard self.descriptor >= 0 else { throw .last }
    }

    /// Closes this folder and returns the nearest one above that this key does not encrypt. If the user may not read that, it is
    /// the top of the file system.
    consuming func outside(_ identifier: FolderKeyIdentifier) throws(SystemError) -> OpenFolder {
        var folder = self
        while case .encrypted(identifier) = try FolderKeys.encryption(of: folder.descriptor) {
            do {
                folder = try OpenFolder(above: folder.descriptor)
            } catch {
                guard let top = MountedFileSystem(of: folder.descriptor)?.mountPoint else { throw error }
                return try OpenFolder(top)
            }
        }
        return folder
    }

    deinit { close(descriptor) }
}
