internal import Glibc
internal import LatchkeyAgent
internal import SecretTools
internal import SodiumKit

/// A credential as git describes it: lines `key=value`, of which the secret ones stay in wiped memory.
struct GitCredential: ~Copyable {
    private var attributes: [String: String] = [:]
    private var password: SecureBytes?
    private var refreshToken: SecureBytes?

    private init() {}

    /// What stands up to an empty line or the end. What is not known is left out, as git wants it.
    static func read(_ text: borrowing SecureBytes) throws -> GitCredential {
        var credential = GitCredential()
        try text.withBytes { bytes in
            var start = 0
            while start < bytes.byteCount {
                var end = start
                while end < bytes.byteCount, Self.byte(bytes, end) != UInt8(ascii: "\n") { end += 1 }
                if end == start { break }
                try credential.parse(bytes.extracting(start..<end))
                start = end + 1
            }
        }
        return credential
    }

    private static func byte(_ bytes: RawSpan, _ place: Int) -> UInt8 {
        bytes.unsafeLoad(fromByteOffset: place, as: UInt8.self)
    }

    private mutating func parse(_ line: RawSpan) throws {
        guard let sign = (0..<line.byteCount).first(where: { Self.byte(line, $0) == UInt8(ascii: "=") }) else {
            throw AgentError(.request, "git's lines are key=value, and one has no equals sign")
        }
        let key = line.extracting(first: sign).withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        let value = line.extracting(sign + 1..<line.byteCount)
        if key == "password" {
            password = try SecureBytes(copying: value)
        } else if key == GitPassword.refreshToken {
            refreshToken = try SecureBytes(copying: value)
        } else if ["protocol", "host", "path", "username", GitPassword.expiry].contains(key) {
            guard let text = value.withUnsafeBytes({ String(validating: $0, as: UTF8.self) }) else {
                throw AgentError(.request, "git's \(key) is no text in UTF-8")
            }
            attributes[key] = text
        }
    }

    /// The password with what belongs to it; nil where git says none. An empty password is one: git's own helpers keep it too.
    func secret() throws(SodiumError) -> GitPassword? {
        guard let password = try Self.copy(password) else { return nil }
        return GitPassword(
            password: password, refreshToken: try Self.copy(refreshToken),
            expiry: attributes[GitPassword.expiry].flatMap { UInt64($0) })
    }

    private static func copy(_ secret: borrowing SecureBytes?) throws(SodiumError) -> SecureBytes? {
        switch secret {
        case .some(let secret): try secret.copy()
        case .none: nil
        }
    }

    /// Who logs in, where that is known.
    var username: String? { attributes["username"] }

    /// What all names of this place have in front of the user: `git/PROTOCOL/HOST`, and the path where git says one.
    func folder() throws -> SecretName {
        guard let scheme = attributes["protocol"] else {
            throw AgentError(.request, "git says no protocol, and nothing is kept without")
        }
        let path = attributes["path"].map {
            $0.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        }
        return try CredentialName.joined(["git", scheme, attributes["host"] ?? ""] + (path ?? []))
    }

    /// The name of this one credential.
    func name(of username: String) throws -> SecretName {
        let folder = try folder().text
        do { return try SecretName("\(folder)/\(CredentialName.escaped(username))") } catch {
            throw AgentError(.request, "\(error)")
        }
    }
}
