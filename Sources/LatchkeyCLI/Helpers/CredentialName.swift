internal import LatchkeyAgent
internal import SecretTools

/// Names of secrets that helpers make of what other programs know a credential by: each part percent-encoded as far as a name
/// could not hold it otherwise, so that no two credentials have one name.
package enum CredentialName: Sendable {
    /// What stands for a part that is empty, which no part of a name can be. A percent sign of a part itself is never alone.
    private static let nothing = "%"

    /// The name whose parts these are.
    static func joined(_ parts: [String]) throws(AgentError) -> SecretName {
        do { return try SecretName(parts.map(escaped).joined(separator: "/")) } catch {
            throw AgentError(.request, "\(error)")
        }
    }

    /// One part as it stands in a name.
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

    /// What a part of a name stands for; nil where no helper writes it so.
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
    /// The secrets whose name has just one part more than `folder`, in natural order, each with what that part stands for.
    func secrets(in folder: SecretName) throws(AgentError) -> [(name: SecretName, last: String)] {
        let (found, locked) = try visible(in: folder)
        if !found.isEmpty || locked == 0 { return found }
        guard let user else { throw AgentError(.locked, "the vault is locked: latchkey unlock unlocks it") }
        _ = try client.ask(.unlock(bySensor: false), because: "look for \(folder)", of: user)
        return try visible(in: folder).found
    }

    private func visible(
        in folder: SecretName
    ) throws(AgentError) -> (found: [(name: SecretName, last: String)], locked: Int) {
        let (entries, locked, _) = try entries()
        var found: [(name: SecretName, last: String)] = []
        for entry in entries {
            guard let name = try? SecretName(entry.name), name.parent == folder, let last = name.parts.last,
                let meant = CredentialName.unescaped(last),
                // No helper has written that, and it could say more to git than a name.
                !meant.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
            else { continue }
            found.append((name, meant))
        }
        return (found.sorted { $0.name < $1.name }, locked)
    }
}
