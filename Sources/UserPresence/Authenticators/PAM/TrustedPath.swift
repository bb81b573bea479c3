internal import Glibc
internal import LinuxSystem

/// A resolver of paths that follows a symbolic link only if no other user can redirect it.
struct TrustedPath {
    private static let mostLinks = 40
    /// The user who may redirect a link besides root; nil for none.
    let user: UInt32?
    /// The folders that were checked, with those above them. None of these paths contains a symbolic link.
    private var known: Set<String> = []

    init(trusting user: UInt32?) { self.user = user }

    /// Returns the path without symbolic links that the absolute `path` leads to. Returns nil if nothing is there and
    /// only this user and root could put something there. Throws if another user could redirect it.
    mutating func end(of path: String) throws(PathTrust.TrustError) -> String? {
        guard path.utf8.first == Self.slash else { throw .relative }
        var ahead = Array(Self.names(in: path).reversed())
        var reached: [String] = []
        var links = 0
        while let name = ahead.popLast() {
            if name == "." { continue }
            if name == ".." {
                _ = reached.popLast()
                continue
            }
            let folder = reached.map { "/" + $0 }.joined()
            let next = folder + "/" + name
            if !known.contains(folder) {
                if let open = try PathTrust.openParent(of: next, trusting: user) {
                    throw user == nil ? .notOfRoot(open) : .openParent(open)
                }
                known.insert(folder)
            }
            var status = stat()
            guard lstat(next, &status) == 0 else {
                if errno == ENOENT { return nil }
                throw .unreadable(errno)
            }
            guard status.st_mode & S_IFMT == S_IFLNK else {
                reached.append(name)
                continue
            }
            // A folder with the sticky bit, such as /tmp, may contain a link of another user.
            guard status.st_uid == 0 || status.st_uid == user else { throw .owner(status.st_uid) }
            links += 1
            guard links <= Self.mostLinks else { throw .unreadable(ELOOP) }
            guard let target = SystemFile.target(of: next) else { throw .unreadable(EIO) }
            if target.utf8.first == Self.slash { reached = [] }
            ahead += Self.names(in: target).reversed()
        }
        return "/" + reached.joined(separator: "/")
    }

    /// Returns the real path of the plain file at `path`; nil if there is none. Throws if another user could change,
    /// replace or redirect it.
    mutating func file(at path: String) throws(PathTrust.TrustError) -> String? {
        guard let end = try end(of: path) else { return nil }
        try PathTrust.require(end, .file, trusting: user)
        return end
    }

    private static let slash = UInt8(ascii: "/")

    /// Splits a path byte by byte, as the system does. In a Swift string, an accent after a slash would join with it
    /// into another character.
    private static func names(in path: String) -> [String] {
        path.utf8.split(separator: slash).map { String(Substring($0)) }
    }
}
