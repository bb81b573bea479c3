internal import AgentProtocol
internal import Glibc
internal import SecretTools
internal import SodiumKit

/// A credential as git describes it, in lines `key=value`. Secret values stay in wiped memory.
struct GitCredential: ~Copyable {
    private var attributes: [String: String] = [:]
    private var password: SecureBytes?
    private var refreshToken: SecureBytes?

    private init() {}

    /// Reads the lines up to an empty one or the end. Ignores unknown keys, as git requires.
    ///
    /// - Throws: `AgentError` if a line has no equals sign, or a known value is not UTF-8.
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
            throw AgentError(.request, "git sent a line without an equals sign: lines are key=value")
        }
        let key = line.extracting(first: sign).withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        let value = line.extracting(sign + 1..<line.byteCount)
        if key == "password" {
            password = try SecureBytes(copying: value)
        } else if key == GitPassword.refreshToken {
            refreshToken = try SecureBytes(copying: value)
        } else if ["protocol", "host", "path", "username", GitPassword.expiry].contains(key) {
            guard let text = value.withUnsafeBytes({ String(validating: $0, as: UTF8.self) }) else {
                throw AgentError(.request, "git sent a \(key) that is not UTF-8")
            }
            attributes[key] = text
        }
    }

    /// Returns the password with its attributes; nil if git sent none. An empty password counts, as for the helpers of git.
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

    /// The user name; nil if git sent none.
    var username: String? { attributes["username"] }
    /// The host that git wants to log in to, with its port; empty if git did not say.
    package var host: String { attributes["host"] ?? "" }

    /// Returns the folder of the credentials of this place: `git/PROTOCOL/HOST`, and the path if git sent one.
    ///
    /// - Throws: `AgentError` if git sent no protocol.
    func folder() throws -> SecretName {
        guard let scheme = attributes["protocol"] else {
            throw AgentError(.request, "git sent no protocol, which every name begins with")
        }
        let path = attributes["path"].map {
            $0.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        }
        return try CredentialName.joined(["git", scheme, attributes["host"] ?? ""] + (path ?? []))
    }

    func name(of username: String) throws -> SecretName {
        let folder = try folder().text
        do { return try SecretName("\(folder)/\(CredentialName.escaped(username))") } catch {
            throw AgentError(.request, "\(error)")
        }
    }
}
