internal import AgentProtocol
internal import Glibc
internal import SecretTools

/// A prompt of ssh, ssh-add or ssh-keygen for a secret.
package enum AskpassPrompt: Hashable, Sendable {
    /// The passphrase of the key in this file.
    case key(String)
    /// The passphrase of the key in this file, after a wrong one.
    case wrongKey(String)
    /// The password of a user, `user@host`.
    case password(String)

    /// Understands a prompt; nil if it is none of these.
    ///
    /// The whole prompt has to match, because a server can have ssh show prompts in the server's words.
    package init?(_ prompt: String) {
        guard let text = Self.between(prompt, "", ": ") ?? Self.between(prompt, "", ":") else { return nil }
        if let path = Self.between(text, "Enter passphrase for key '", "'") {
            self = .key(path)
        } else if let path = Self.between(text, "Enter passphrase for \"", "\"") {
            self = .key(path)
        } else if let path = Self.between(text, "Enter passphrase for ", "") {
            self = .key(Self.withoutRemark(path))
        } else if let path = Self.between(text, "Bad passphrase, try again for ", "") {
            self = .wrongKey(Self.withoutRemark(path))
        } else if let user = Self.between(text, "", "'s password") ?? Self.between(text, "(", ") Password"),
            user.contains("@"), !user.contains(where: { $0.isWhitespace || "()'".contains($0) })
        {
            self = .password(user)
        } else {
            return nil
        }
    }

    private static func between(_ text: String, _ start: String, _ end: String) -> String? {
        guard text.hasPrefix(start), text.hasSuffix(end), text.utf8.count > start.utf8.count + end.utf8.count else {
            return nil
        }
        return String(text.dropFirst(start.count).dropLast(end.count))
    }

    private static func withoutRemark(_ path: String) -> String {
        between(path, "", " (will confirm each use)") ?? path
    }

    /// Returns the name of the secret. Relative paths begin at `folder`.
    ///
    /// - Throws: `AgentError` if the name is too long.
    func name(in folder: String) throws(AgentError) -> SecretName {
        switch self {
        case .password(let user): try CredentialName.joined(["ssh", "password", user])
        case .key(let path), .wrongKey(let path):
            try CredentialName.joined(
                ["ssh", "key"] + Self.parts(of: path.hasPrefix("/") ? path : "\(folder)/\(path)"))
        }
    }

    private static func parts(of path: String) -> [String] {
        var parts: [String] = []
        for part in path.split(separator: "/") where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(String(part)) }
        }
        return parts
    }
}
