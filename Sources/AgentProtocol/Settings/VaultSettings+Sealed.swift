internal import PlainText

// The bytes of settings that are sealed in a vault. Their names and forms never change.

extension VaultSettings {
    private static let objectOfPAM = "pam"
    private static let objectOfSecretService = "secret-service"

    /// Reads the settings that are sealed in the vault in `folder`. A vault that another program has made has none; it gets the
    /// usual ones.
    package init(sealed bytes: [UInt8], ofVaultIn folder: String) throws(AgentError) {
        self.init()
        if bytes.isEmpty { return }
        do throws(WireError) {
            var reader = MembersReader(head: try WireObject(bytes))
            for name in SettingName.all(in: .vault) {
                if let value = try Self.value(of: name, from: &reader, folder) {
                    self[name] = name.row.kind.clamped(value)
                }
            }
            try reader.head.end()
        } catch {
            throw AgentError(
                .vault, "the settings of the vault are not valid: \(error). Use the version of Latchkey that wrote them"
            )
        }
    }

    /// Removes a value and returns it; nil if there is none.
    private static func value(
        of name: SettingName, from reader: inout MembersReader, _ vault: String
    ) throws(WireError) -> SettingValue? {
        let (row, member) = (name.row, name.member)
        var value: SettingValue?
        switch row.sealed {
        case .member: try reader.valueIfSaid(member, like: row.usual, &value)
        case .numberOrNull:
            if reader.head[member] == nil { return nil }
            value = .number(Int(clamping: try reader.head.consumeNumberIfPresent(member) ?? 0))
        case .list:
            let texts = try reader.head.consumeTexts(member)
            if texts.count > 1 { throw .malformed("\"\(member)\" is a list of one text") }
            value = texts.first.map { .text($0) }
        case .service:
            guard var fields = try reader.head.consumeHeadIfPresent(objectOfPAM) else { return nil }
            let (service, folder) = (try fields.consumeText("service"), try fields.consumeText("folder"))
            try fields.end()
            // A relative folder lies in the vault's own, and moves with it.
            let isRelative = folder.utf8.first != UInt8(ascii: "/")
            value = .text("\(isRelative ? "\(vault)/" : "")\(folder)/\(service)")
        case .ofSecretService(let member):
            guard let fields = try reader.head.consumeHeadIfPresent(objectOfSecretService) else { return nil }
            var part = MembersReader(head: fields)
            try part.valueIfSaid(member, like: row.usual, &value)
            reader.head[objectOfSecretService] = part.head.fields.isEmpty ? nil : .object(part.head.fields)
            do throws(AgentError) { if let value { try row.kind.check(value, member) } } catch {
                throw .malformed("the \(member) of the Secret Service: \(error.message)")
            }
        }
        return value
    }

    /// Returns the bytes to seal in the vault in `folder`.
    package func bytes(forVaultIn folder: String) -> [UInt8] {
        var writer = MembersWriter()
        for name in SettingName.all(in: .vault) { write(name, to: &writer, folder) }
        return Array(writer.head.text.utf8)
    }

    private func write(_ name: SettingName, to writer: inout MembersWriter, _ vault: String) {
        let (row, member) = (name.row, name.member)
        var value = Optional(self[name])
        let isUsual = value == row.usual
        switch row.sealed {
        case .member: if !isUsual { writer.valueIfSaid(member, like: row.usual, &value) }
        case .numberOrNull:
            var number = self[name].number > 0 ? Optional(self[name].number) : nil
            writer.numberOrNull(member, &number)
        case .list: if !isUsual { writer.head[member] = .array([.string(self[name].text)]) }
        case .service:
            guard let pam else { return }
            let own = vault + "/"
            let folder = pam.folder.hasPrefix(own) ? String(pam.folder.dropFirst(own.count)) : pam.folder
            writer.head[Self.objectOfPAM] = .object(["service": .string(pam.service), "folder": .string(folder)])
        case .ofSecretService(let member):
            // The object has its flag whenever it is there.
            let isThere = self[.secretService].flag || !secretRules.text.isEmpty
            if !isThere || isUsual && name != .secretService { return }
            var part = MembersWriter(head: WireObject(writer.head[Self.objectOfSecretService] ?? .null) ?? WireObject())
            part.valueIfSaid(member, like: row.usual, &value)
            writer.head[Self.objectOfSecretService] = .object(part.head.fields)
        }
    }

    /// Returns the names of the members in which two sealed settings differ.
    package static func members(of found: [UInt8], differingFrom owner: [UInt8]) -> [String] {
        let (found, owner) = ((try? WireObject(found))?.fields ?? [:], (try? WireObject(owner))?.fields ?? [:])
        let members = SettingName.all(in: .vault).map { name in
            switch name.row.sealed {
            case .member, .numberOrNull, .list: name.member
            case .service: objectOfPAM
            case .ofSecretService: objectOfSecretService
            }
        }
        return Set(members).filter { found[$0] != owner[$0] }.sorted()
    }
}
