internal import SecretVault

/// The attributes of each item class, and the values that they take (semantics 3.1).
package enum AttributeTable {
    /// The kind of value that an attribute takes.
    enum Kind {
        /// A number, or a text of digits.
        case number
        /// A date and nothing else.
        case date
        /// Bytes, or a text that is stored as its bytes.
        case data
        /// Bytes, a text or a number, returned as it was stored.
        case blob
        /// A text, or its UTF-8 bytes.
        case string
    }

    // Every lookup needs several names, and a dictionary finds one faster than a comparison with each.
    private static let names = Dictionary(uniqueKeysWithValues: AttributeName.allCases.map { ($0.rawValue, $0) })

    /// Returns the kind of an attribute; nil if items of this class have no such attribute.
    static func kind(of name: String, in itemClass: ItemClass) -> Kind? {
        guard let name = names[name], name.belongs(to: itemClass) else { return nil }
        return name.kind
    }

    /// Returns the value as it is stored and searched for; nil if the attribute takes no such value.
    static func converted(_ value: AttributeValue, to kind: Kind) -> AttributeValue? {
        switch (kind, value) {
        case (.date, .date): return value
        case (.date, _), (_, .date): return nil
        case (.number, .number): return value
        case (.number, .string(let text)): return Int64(text).map(AttributeValue.number) ?? value
        case (.number, .data): return nil
        case (.data, .string(let text)): return .data(Array(text.utf8))
        case (.data, .number(let number)): return .data(AttributeValue.bytes(of: number))
        case (.data, _), (.blob, _): return value
        case (.string, .string): return value
        case (.string, .data(let bytes)): return String(validating: bytes, as: UTF8.self).map(AttributeValue.string)
        case (.string, .number): return nil
        }
    }

    /// Returns true if the attribute takes a Boolean as its number. A name that no class has is not checked here.
    package static func acceptsFlag(_ name: String) -> Bool { names[name].map { $0.kind == .number } ?? true }

    /// Returns true if the attribute takes a UUID as its text.
    package static func acceptsUUID(_ name: String) -> Bool { names[name].map { $0.kind == .string } ?? true }

    /// Returns true if a call returns the attribute with the data of an item instead of with its attributes.
    package static func isGivenWithData(_ name: String) -> Bool { names[name]?.isGivenWithData ?? false }

    /// Returns the values stored for attributes of the primary key that the caller leaves out, as apps get them back.
    static func defaults(of itemClass: ItemClass) -> [(AttributeName, AttributeValue)] {
        switch itemClass {
        case .genericPassword: [(.account, .string("")), (.service, .string(""))]
        case .internetPassword:
            [
                (.account, .string("")), (.securityDomain, .string("")), (.server, .string("")),
                (.authenticationType, .string("")), (.path, .string("")), (.networkProtocol, .number(0)),
                (.port, .number(0)),
            ]
        case .certificate: [(.certificateType, .number(0))]
        case .key:
            [
                (.keyClass, .number(0)), (.creator, .number(0)), (.type, .number(0)), (.keySizeInBits, .number(0)),
                (.effectiveKeySize, .number(0)), (.startDate, .date(0)), (.endDate, .date(0)),
            ]
        case .identity: []
        }
    }
}

extension AttributeName {
    /// The kind of value that the attribute takes.
    fileprivate var kind: AttributeTable.Kind {
        switch self {
        case .creator, .type, .scriptCode, .isInvisible, .isNegative, .hasCustomIcon, .networkProtocol, .port,
            .certificateType, .certificateEncoding, .keyClass, .isPermanent, .isPrivate, .isModifiable, .keySizeInBits,
            .effectiveKeySize, .isSensitive, .wasAlwaysSensitive, .isExtractable, .wasNeverExtractable, .canEncrypt,
            .canDecrypt, .canDerive, .canSign, .canVerify, .canSignRecover, .canVerifyRecover, .canWrap, .canUnwrap:
            .number
        case .creationDate, .modificationDate, .startDate, .endDate: .date
        case .subject, .issuer, .serialNumber, .subjectKeyID, .publicKeyHash, .applicationLabel, .extraNotes,
            .extraHistory, .extraClientDefined0, .extraClientDefined1, .extraClientDefined2, .extraClientDefined3:
            .data
        case .label, .alias, .description, .comment, .protected, .account, .service, .generic, .securityDomain, .server,
            .authenticationType, .path, .applicationTag:
            .blob
        case .syncViewHint, .tokenID: .string
        }
    }

    /// Returns true if items of this class have the attribute.
    fileprivate func belongs(to itemClass: ItemClass) -> Bool {
        switch self {
        case .creationDate, .modificationDate, .label, .alias, .syncViewHint, .tokenID: true
        case .description, .comment, .scriptCode, .isInvisible, .isNegative, .hasCustomIcon, .protected, .account:
            itemClass == .genericPassword || itemClass == .internetPassword
        case .service, .generic: itemClass == .genericPassword
        case .securityDomain, .server, .networkProtocol, .authenticationType, .port, .path, .extraNotes, .extraHistory,
            .extraClientDefined0, .extraClientDefined1, .extraClientDefined2, .extraClientDefined3:
            itemClass == .internetPassword
        case .creator, .type: itemClass != .certificate
        case .certificateType, .certificateEncoding, .subject, .issuer, .serialNumber, .subjectKeyID, .publicKeyHash:
            itemClass == .certificate || itemClass == .identity
        case .keyClass, .applicationLabel, .applicationTag, .keySizeInBits, .effectiveKeySize, .startDate, .endDate,
            .isPermanent, .isPrivate, .isModifiable, .isSensitive, .wasAlwaysSensitive, .isExtractable,
            .wasNeverExtractable, .canEncrypt, .canDecrypt, .canDerive, .canSign, .canVerify, .canSignRecover,
            .canVerifyRecover, .canWrap, .canUnwrap:
            itemClass == .key || itemClass == .identity
        }
    }

    /// True for the secret parts of internet passwords.
    fileprivate var isGivenWithData: Bool { kind == .data && belongs(to: .internetPassword) }
}

extension Attributes {
    /// Returns the attributes as items of this class store and match them. If several are wrong, the error names the
    /// first by name, because the order of a dictionary changes from run to run.
    func converted(for itemClass: ItemClass) throws(ItemRequestError) -> Attributes {
        var converted = self
        var first: (name: String, fault: ItemRequestError)?
        for (name, value) in values {
            do {
                let fitting = try Self.converted(name, value, for: itemClass)
                if fitting != value { converted[name] = fitting }  // Most values need no conversion.
            } catch {
                if first.map({ name < $0.name }) ?? true { first = (name, error) }
            }
        }
        if let first { throw first.fault }
        return converted
    }

    private static func converted(
        _ name: String, _ value: AttributeValue, for itemClass: ItemClass
    ) throws(ItemRequestError) -> AttributeValue {
        guard let kind = AttributeTable.kind(of: name, in: itemClass) else { throw .noSuchAttribute(name, itemClass) }
        guard let value = AttributeTable.converted(value, to: kind) else { throw .badValue(name) }
        return value
    }

    /// Returns all attributes of an item of this class, with defaults for its primary key and without dates, which the
    /// vault sets.
    func completed(for itemClass: ItemClass) throws(ItemRequestError) -> Attributes {
        var completed = try converted(for: itemClass)
        for (name, value) in AttributeTable.defaults(of: itemClass) where completed[name] == nil {
            completed[name] = value
        }
        completed[.creationDate] = nil
        completed[.modificationDate] = nil
        return completed
    }
}

extension ItemChanges {
    /// Returns the changes as items of this class take them. An update may set the creation date, and never the date of
    /// the last change.
    func converted(for itemClass: ItemClass) throws(ItemRequestError) -> ItemChanges {
        var converted = self
        converted.attributes = try attributes?.completed(for: itemClass)
        converted.merging = try merging.converted(for: itemClass)
        if case .date(let date) = converted.merging[.creationDate] ?? attributes?[.creationDate] {
            guard date.isFinite, abs(date) < 1e14 else { throw .badValue(AttributeName.creationDate.rawValue) }
            converted.created = date
        }
        converted.merging[.creationDate] = nil
        converted.merging[.modificationDate] = nil
        return converted
    }
}
