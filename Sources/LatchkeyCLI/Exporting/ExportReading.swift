internal import AgentProtocol
internal import CommandLineKit
internal import Glibc
internal import PlainText
internal import SecretTools
internal import SodiumKit

/// The secrets that an export reads, one after the other, each by its access policy.
struct ExportReading {
    let access: VaultAccess
    private let reason: String
    /// The secrets, in the order of their names.
    let entries: [Entry]
    private let names: Set<String>
    private var place = 0
    /// The secrets that were written together with another one.
    private var included: Set<String> = []
    private var leftOut: Int
    /// The number of secrets that are written.
    var written = 0

    /// Lists the secrets.
    ///
    /// - Throws: `AgentError` if there is none, or none matches.
    init(_ access: VaultAccess, only: String?) throws {
        self.access = access
        let (all, locked, damaged) = try access.entries(withComments: true, because: "export secrets")
        if locked > 0 && all.isEmpty {
            throw AgentError(.locked, "the vault is locked: run `latchkey unlock` in a terminal")
        }
        let filter = only.map { NameFilter($0) }
        let wanted = all.filter { entry in
            guard let filter else { return true }
            return (try? SecretName(entry.name)).map { filter.matches($0) } ?? false
        }
        if wanted.isEmpty && locked + damaged == 0 {
            throw AgentError(
                .notFound,
                only.map { "no secret matches \($0): run `latchkey list` to see the names" }
                    ?? "the vault has no secrets, and nothing was written")
        }
        entries = wanted
        names = Set(wanted.map(\.name))
        reason = wanted.count == 1 ? "export \(wanted[0].name)" : "export \(wanted.count) secrets"
        leftOut = locked + damaged
        if locked > 0 { Output.complain("left out: \(counted(locked, "locked secret")): run `latchkey unlock`") }
        if damaged > 0 { Output.complain("left out: \(counted(damaged, "damaged secret")): run `latchkey verify`") }
        if only == nil, case let keys = try access.keys().entries.count, keys > 0 {
            Output.confirm("\(counted(keys, "private key")) \(keys == 1 ? "stays" : "stay") in the vault.")
        }
    }

    /// Returns the next secret that was not included with another one; nil at the end.
    mutating func next() -> Entry? {
        while place < entries.count {
            defer { place += 1 }
            if !included.contains(entries[place].name) { return entries[place] }
        }
        return nil
    }

    /// Returns the name of a secret. If another program stored it under a name that no command takes, it is left out.
    mutating func name(of entry: Entry) -> SecretName? {
        if let name = try? SecretName(entry.name) { return name }
        leaveOut(entry.name, "another program chose this name; `latchkey export json` takes it")
        return nil
    }

    /// Reports a secret that is left out.
    mutating func leaveOut(_ name: String, _ why: String) {
        Output.complain("left out: \(name): \(why)")
        leftOut += 1
    }

    /// Reads a secret. If its policy denies that, it is left out.
    ///
    /// - Throws: `AgentError` if the user dismisses a prompt or does not authenticate, or the vault fails.
    mutating func read(_ name: String) throws -> SecureBytes? {
        do throws(AgentError) {
            var reply = try access.ask(ReadCall(name), because: reason)
            if let secret = reply.secret.take() { return secret }
        } catch {
            switch error.kind {
            case .denied, .notFound, .damaged, .request, .unavailable:
                leaveOut(name, "\(error)")
                return nil
            case .locked, .dismissed, .wrong, .noTerminal, .exists, .vault, .agent: throw error
            }
        }
        return try SecureBytes(count: 0)
    }

    /// Reads the fields of a secret that has been read, those that the format has a place for. The others are left out.
    mutating func fields(
        of name: String, fits: (String, borrowing SecureBytes) -> Bool
    ) throws -> [SecretField] {
        var fields: [SecretField] = []
        for field in try access.versions(of: name, because: reason).first?.fields ?? [] {
            var reply = try access.ask(
                ReadPartCall(name, ReadPartCall.Selection(field: field)), because: reason)
            if let bytes = reply.secret.take(), fits(field, bytes) {
                fields.append(SecretField(field, bytes))
                continue
            }
            leaveOut(
                "\(name) \(field)",
                "the format has no place for it; `latchkey get \(Shell.word(name)) \(Shell.word(field))` reads it")
        }
        return fields
    }

    /// Returns true if a format that other programs read has a place for a field.
    static func hasPlace(_ field: String, _ bytes: borrowing SecureBytes) -> Bool {
        guard ExportedSecret.fieldNames.contains(field), ExportedSecret.isText(bytes) else { return false }
        return field == FieldName.notes || bytes.count == 0 || ExportedSecret.isOneLine(bytes)
    }

    /// Reads the secret `NAME/WORD` to write it together with the secret `NAME`. Returns nil if there is none, or it does not
    /// fit.
    mutating func part(
        _ word: String, of name: SecretName, fits: (borrowing SecureBytes) -> Bool
    ) throws -> SecureBytes? {
        let part = "\(name.text)/\(word)"
        guard names.contains(part) else { return nil }
        switch try read(part) {
        case .none:
            included.insert(part)  // It was left out, and is not tried again.
            return nil
        case .some(let secret):
            guard fits(secret) else { return nil }
            included.insert(part)
            written += 1
            return secret
        }
    }

    /// Leaves out the secret `NAME/WORD` together with the secret `NAME`, if there is one.
    mutating func leaveOutPart(_ word: String, of name: SecretName, _ why: String) {
        let part = "\(name.text)/\(word)"
        if names.contains(part), included.insert(part).inserted { leaveOut(part, why) }
    }

    /// Ends the export: with status 1 if something was left out.
    func end() -> String {
        if leftOut > 0 { exit(1) }
        return ""
    }
}
