internal import Glibc

/// A check whether any user other than root and the owner can change the file at a path, or put another one there.
public enum PathTrust: Sendable {
    /// The reason why the file at a path cannot be trusted.
    public enum TrustError: Error, Hashable, Sendable {
        /// It is missing, or cannot be examined.
        case unreadable(Int32)
        /// The path does not begin at the root of the file system.
        case relative
        /// It is a symbolic link.
        case symlink
        /// It is the wrong kind of file.
        case kind
        /// It belongs to this user, who is neither root nor the user of this process.
        case owner(UInt32)
        /// Other users may write to it. The value is its mode.
        case mode(UInt32)
        /// Other users may write to this folder above it.
        case openParent(String)
        /// Others than root can change this file or folder, which is the path or above it.
        case notOfRoot(String)
    }

    /// The user who runs this process.
    public static var thisUser: UInt32 { geteuid() }

    /// Returns the first folder above `path` in which another user could replace what leads to `path`; nil if there is
    /// none.
    ///
    /// Every folder above must belong to `user` or to root. Other users must not be able to write to it, unless it
    /// keeps each user's files apart. Its group may write to it if it is the user's primary group and has no other
    /// member.
    ///
    /// If `user` is nil, only root may be able to write to the folders. In a folder that keeps each user's files apart, a user
    /// can mount a file system that says that root owns its files, so that is not enough then.
    ///
    /// - Throws: ``TrustError/unreadable(_:)`` if a folder cannot be examined.
    public static func openParent(
        of path: String, trusting user: UInt32? = thisUser
    ) throws(TrustError) -> String? {
        // Split bytes, as the system does. In a Swift string, a slash and an accent after it are one character.
        var parent = path.utf8[...]
        while let cut = parent.lastIndex(of: UInt8(ascii: "/")) {
            parent = parent[..<cut]
            let folder = parent.isEmpty ? "/" : String(Substring(parent))
            var status = stat()
            guard folder.withPath({ stat($0, &status) }) == 0 else { throw .unreadable(errno) }
            if isOpen(status, trusting: user) || (status.st_uid != 0 && status.st_uid != user) { return folder }
        }
        return nil
    }

    private static func isOpen(_ folder: stat, trusting user: UInt32?) -> Bool {
        guard let user else { return folder.st_mode & (S_IWGRP | S_IWOTH) != 0 }
        if folder.st_mode & S_ISVTX != 0 { return false }
        if folder.st_mode & S_IWOTH != 0 { return true }
        return folder.st_mode & S_IWGRP != 0 && !PrivateGroup.holds(folder.st_gid, of: user)
    }

    /// Returns the first folder above `path` in which another user could replace what leads to `path`; nil if there is
    /// none. Some of the folders above may not exist yet.
    ///
    /// - Throws: ``TrustError`` if a folder cannot be examined or the path is relative.
    public static func openParent(ofNew path: String) throws(TrustError) -> String? {
        var existing = path.utf8[...]
        while let cut = existing.lastIndex(of: UInt8(ascii: "/")) {
            existing = existing[..<cut]
            guard let folder = realpath(existing.isEmpty ? "/" : String(Substring(existing))) else {
                if errno == ENOENT { continue }
                throw .unreadable(errno)
            }
            return try openParent(of: folder == "/" ? "/new" : folder + "/new")
        }
        throw .relative
    }

    /// The kind of file that a trusted path must lead to.
    public enum Kind: Sendable {
        /// A plain file.
        case file
        /// A folder.
        case folder
    }

    /// Throws unless the file at the absolute `path` is of this kind, belongs to root or to `user`, and no other user can
    /// change or replace it. If `user` is nil, it has to be root's alone.
    public static func require(
        _ path: String, _ kind: Kind, trusting user: UInt32? = thisUser
    ) throws(TrustError) {
        guard path.utf8.first == UInt8(ascii: "/") else { throw .relative }
        var status = stat()
        guard lstat(path, &status) == 0 else { throw .unreadable(errno) }
        if status.st_mode & S_IFMT == S_IFLNK { throw .symlink }
        guard status.st_mode & S_IFMT == (kind == .file ? S_IFREG : S_IFDIR) else { throw .kind }
        guard status.st_uid == 0 || status.st_uid == user else {
            throw user == nil ? .notOfRoot(path) : .owner(status.st_uid)
        }
        guard status.st_mode & 0o022 == 0 else { throw .mode(UInt32(status.st_mode & 0o7777)) }
        if let parent = try openParent(of: path, trusting: user) {
            throw user == nil ? .notOfRoot(parent) : .openParent(parent)
        }
    }
}

extension PathTrust.TrustError: CustomStringConvertible {
    /// The fault, as the end of a sentence that begins with the path.
    public var description: String {
        switch self {
        case .unreadable(let code): "cannot be examined: \(SystemError(code))"
        case .relative: "is not an absolute path: begin it with a slash"
        case .symlink: "is a symbolic link: name the path that it leads to"
        case .kind: "is the wrong kind of file"
        case .owner(let user): "belongs to user \(user), who could change it: it has to belong to root or to you"
        case .mode(let mode): "can be written to by others (mode \(String(mode, radix: 8))): run `chmod go-w` on it"
        case .notOfRoot(let path):
            "can be changed at \(path) by others than root: have root put it into a folder that only root can write to"
        case .openParent(let parent):
            "is below \(parent), which others may write to: run `chmod go-w \(parent)`, or move it"
        }
    }
}
