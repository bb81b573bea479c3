internal import Glibc
internal import LinuxSystem

/// Where paths lead, through symbolic links that nobody else could turn elsewhere.
struct TrustedPath {
    private static let mostLinks = 40
    /// The folders without symbolic links that were looked at, with those above them.
    private var known: Set<String> = []

    /// The place without symbolic links that the absolute `path` leads to; nil where there is nothing, and nobody but us and
    /// root could put something there. Throws where somebody else could lead the way elsewhere.
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
                if let open = try PathTrust.openParent(of: next) { throw .openParent(open) }
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
            // In a folder where each user's files are kept apart, the link could be somebody's.
            guard status.st_uid == 0 || status.st_uid == geteuid() else { throw .owner(status.st_uid) }
            links += 1
            guard links <= Self.mostLinks else { throw .unreadable(ELOOP) }
            guard let target = Self.readLink(next) else { throw .unreadable(EIO) }
            if target.utf8.first == Self.slash { reached = [] }
            ahead += Self.names(in: target).reversed()
        }
        return "/" + reached.joined(separator: "/")
    }

    /// Throws unless what `path` leads to is a plain file that nobody else can change, replace or lead the way away from;
    /// where it is, or nil where there is none.
    mutating func file(at path: String) throws(PathTrust.TrustError) -> String? {
        guard let end = try end(of: path) else { return nil }
        try PathTrust.require(end, .file)
        return end
    }

    private static let slash = UInt8(ascii: "/")

    /// Byte by byte, as the system reads it: an accent after a slash makes another letter of it for Swift.
    private static func names(in path: String) -> [String] {
        path.utf8.split(separator: slash).map { String(Substring($0)) }
    }

    private static func readLink(_ path: String) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
            guard let start = buffer.baseAddress else { return nil }
            let count = readlink(path, start, buffer.count)
            guard count > 0, count < buffer.count else { return nil }
            return String(validating: buffer.prefix(count), as: UTF8.self)
        }
    }
}
