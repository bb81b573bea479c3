internal import KeyKit

/// The content of OpenSSH's files of known hosts.
package struct KnownHosts: Sendable {
    private struct Line {
        var hosts: Substring
        var key: Substring
        var isHashed: Bool { hosts.hasPrefix("|") }
    }

    private let lines: [Line]

    /// The longest file that is looked at, in bytes.
    package static let longest = 4 * 1024 * 1024
    /// The most candidates, and the most lines, that are compared by their digests.
    private static let mostHashed = 64

    /// Reads files. Lines about revoked keys and certificate authorities, and those that are not valid, are left out.
    package init(_ files: [[UInt8]]) {
        lines = files.flatMap { file in
            String(decoding: file.prefix(Self.longest), as: UTF8.self).split(whereSeparator: \.isNewline)
        }.compactMap { line in
            let parts = line.split(maxSplits: 3, whereSeparator: { $0 == " " || $0 == "\t" })
            guard parts.count >= 3, let first = parts[0].first, first != "#", first != "@" else { return nil }
            return Line(hosts: parts[0], key: parts[2])
        }
    }

    /// Returns the blobs of the keys of a host: a name, or [name]:port for a port of its own.
    package func keys(of host: String) -> [[UInt8]] {
        let host = host.lowercased()
        var keys: [[UInt8]] = []
        for line in lines where Self.names(line.hosts, host) {
            guard let blob = Base64.bytes(String(line.key)), let key = SSHPublicKey(blob: blob), !key.isCertificate,
                !keys.contains(blob)
            else { continue }
            keys.append(blob)
        }
        return keys
    }

    /// The name of a host, as far as the files tell it.
    package enum Name: Hashable, Sendable {
        /// A name that is in a file.
        case known(String)
        /// The files have the key under a name that is hashed, and is none of the candidates.
        case hashed
        /// No file has the key.
        case unknown
    }

    /// Returns the name of the host with this key. A name among `candidates` that a file confirms is the first choice.
    package func name(of key: SSHPublicKey, candidates: [String]) -> Name {
        let wanted = Base64.text(key.plain.blob)
        let found = lines.filter { $0.key == wanted }
        if found.isEmpty { return .unknown }
        // Every comparison with a hashed name takes a digest.
        let (hashed, plain) = (found.filter(\.isHashed).prefix(Self.mostHashed), found.filter { !$0.isHashed })
        for (place, candidate) in candidates.enumerated() where !candidate.isEmpty {
            let name = candidate.lowercased()
            let lines = place < Self.mostHashed ? plain + hashed : plain
            if lines.contains(where: { Self.names($0.hosts, name) }) { return .known(name) }
        }
        for line in plain {
            let name = line.hosts.split(separator: ",").first { !$0.contains { "*?!".contains($0) } }
            if let name { return .known(String(name)) }
        }
        return hashed.isEmpty ? .unknown : .hashed
    }

    /// Returns true if the first field of a line has this name, in small letters. Patterns do not count: they say nothing
    /// about one host.
    private static func names(_ hosts: Substring, _ name: String) -> Bool {
        guard hosts.hasPrefix("|1|") else { return hosts.split(separator: ",").contains { $0.lowercased() == name } }
        let parts = hosts.split(separator: "|")
        guard parts.count == 3, let salt = Base64.bytes(String(parts[1])), let sum = Base64.bytes(String(parts[2])),
            var mac = try? RunningMAC(.standard(.sha1), key: salt.span.bytes),
            (try? mac.add(name.utf8Span.span.bytes)) != nil, let found = try? mac.finish()
        else { return false }
        return found == sum
    }
}
