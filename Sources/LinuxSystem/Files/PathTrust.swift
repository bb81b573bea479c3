internal import Glibc

/// Who besides its owner could change what lies at a path, or put something else in its place.
public enum PathTrust: Sendable {
    /// Why what lies at a path cannot be trusted.
    public enum TrustError: Error, Hashable, Sendable {
        /// It is not there, or cannot be looked at.
        case unreadable(Int32)
        /// It does not begin at the root of the file system.
        case relative
        /// It is a symbolic link.
        case symlink
        /// It is not the kind of file that it should be.
        case kind
        /// It belongs to somebody who is neither root nor us.
        case owner(UInt32)
        /// Others may write to it.
        case mode(UInt32)
        /// Others may write to this folder above it.
        case openParent(String)
    }

    /// The first folder above `path` that somebody else could put another one in the place of what leads there.
    ///
    /// Every folder above belongs to us or to root. Others may not write to it unless it keeps each user's files apart; its group
    /// may if it is our primary group and has no other member.
    public static func openParent(of path: String) throws(TrustError) -> String? {
        // Byte by byte, as the system reads it: an accent after a slash makes another letter of it for Swift.
        var parent = path.utf8[...]
        while let cut = parent.lastIndex(of: UInt8(ascii: "/")) {
            parent = parent[..<cut]
            let folder = parent.isEmpty ? "/" : String(Substring(parent))
            var status = stat()
            guard stat(folder, &status) == 0 else { throw .unreadable(errno) }
            if isOpen(status) || (status.st_uid != 0 && status.st_uid != geteuid()) { return folder }
        }
        return nil
    }

    private static func isOpen(_ folder: stat) -> Bool {
        if folder.st_mode & S_ISVTX != 0 { return false }
        if folder.st_mode & S_IWOTH != 0 { return true }
        return folder.st_mode & S_IWGRP != 0 && !PrivateGroup.holds(folder.st_gid, of: geteuid())
    }

    /// The first folder above `path` that somebody else could put another one in the place of what leads there, where some of
    /// these folders do not exist yet.
    public static func openParent(ofNew path: String) throws(TrustError) -> String? {
        var existing = path.utf8[...]
        while let cut = existing.lastIndex(of: UInt8(ascii: "/")) {
            existing = existing[..<cut]
            var resolved = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
            guard realpath(existing.isEmpty ? "/" : String(Substring(existing)), &resolved) != nil else {
                if errno == ENOENT { continue }
                throw .unreadable(errno)
            }
            let folder = String(decoding: resolved.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            return try openParent(of: folder == "/" ? "/new" : folder + "/new")
        }
        throw .relative
    }

    /// What a path that is to be believed leads to.
    public enum Kind: Sendable {
        /// A plain file.
        case file
        /// A folder.
        case folder
    }

    /// Throws unless what lies at the absolute `path` is of this kind, belongs to root or to us, and can be changed or replaced
    /// by nobody else.
    public static func require(_ path: String, _ kind: Kind) throws(TrustError) {
        guard path.utf8.first == UInt8(ascii: "/") else { throw .relative }
        var status = stat()
        guard lstat(path, &status) == 0 else { throw .unreadable(errno) }
        if status.st_mode & S_IFMT == S_IFLNK { throw .symlink }
        guard status.st_mode & S_IFMT == (kind == .file ? S_IFREG : S_IFDIR) else { throw .kind }
        guard status.st_uid == 0 || status.st_uid == geteuid() else { throw .owner(status.st_uid) }
        guard status.st_mode & 0o022 == 0 else { throw .mode(UInt32(status.st_mode & 0o7777)) }
        if let parent = try openParent(of: path) { throw .openParent(parent) }
    }
}

extension PathTrust.TrustError: CustomStringConvertible {
    /// What is wrong with the path, as the end of a sentence that begins with it.
    public var description: String {
        switch self {
        case .unreadable(let code): "cannot be looked at: \(SystemError(code))"
        case .relative: "is no absolute path: begin it with a slash"
        case .symlink: "is a symbolic link: name the place that it leads to"
        case .kind: "is not the kind of file that belongs there"
        case .owner(let user): "belongs to user \(user), who could change it: it has to belong to root or to you"
        case .mode(let mode): "may be written to by others (mode \(String(mode, radix: 8))): chmod go-w it"
        case .openParent(let parent):
            "lies below \(parent), which others may write to: chmod go-w \(parent), or move it"
        }
    }
}
