package import AgentProtocol
package import SecretTools

/// The names under which the helpers save the credentials of other programs.
///
/// Each part is percent-encoded as far as a name needs it, so that no two credentials have the same name.
package enum CredentialName: Sendable {
    /// The form of an empty part, which a name cannot have. The escape of a percent sign is longer than this.
    private static let nothing = "%"

    /// Returns the name with these parts. Throws if it would be too long.
    static func joined(_ parts: [String]) throws(AgentError) -> SecretName {
        do { return try SecretName(parts.map(escaped).joined(separator: "/")) } catch {
            throw AgentError(.request, "\(error)")
        }
    }

    package static func escaped(_ part: String) -> String {
        if part.isEmpty { return nothing }
        if part == "." || part == ".." { return String(repeating: "%2E", count: part.count) }
        var text = ""
        for scalar in part.unicodeScalars {
            if scalar != "%" && scalar != "/" && (try? SecretName("x\(Character(scalar))")) != nil {
                text.unicodeScalars.append(scalar)
            } else {
                for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter {
                    text += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
                }
            }
        }
        return text
    }

    /// Returns the part that an escaped form stands for; nil if no helper writes this form.
    package static func unescaped(_ part: some StringProtocol) -> String? {
        if part == nothing { return "" }
        var bytes: [UInt8] = []
        var rest = part.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard rest.count >= 2, let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else {
                return nil
            }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}

extension VaultAccess {
    /// Returns the secrets directly in `folder`, in natural order, each with its last part unescaped. If some are
    /// locked, the user unlocks the vault first, for this reason.
    ///
    /// - Throws: `AgentError` if the vault stays locked, or the agent cannot list.
    package func secrets(
        in folder: SecretName, because reason: String
    ) throws(AgentError) -> [(name: SecretName, last: String)] {
        let (found, locked) = try visible(in: folder, because: reason)
        if locked > 0, found.isEmpty {
            throw AgentError(.locked, "the vault is locked: run `latchkey unlock` in a terminal")
        }
        return found
    }

    private func visible(
        in folder: SecretName, because reason: String
    ) throws(AgentError) -> (found: [(name: SecretName, last: String)], locked: Int) {
        let (entries, locked, _) = try entries(because: reason)
        var found: [(name: SecretName, last: String)] = []
        for entry in entries {
            guard let name = try? SecretName(entry.name), name.parent == folder, let last = name.parts.last,
                let meant = CredentialName.unescaped(last),
                // No helper writes control characters. A line end would add a line to the answer for git.
                !meant.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
            else { continue }
            found.append((name, meant))
        }
        return (found.sorted { $0.name < $1.name }, locked)
    }
}
