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

    /// Returns the kind of an attribute; nil if items of this class have no such attribute.
    static func kind(of name: String, in itemClass: ItemClass) -> Kind? {
        guard common.contains(name) || names(of: itemClass).contains(name) else { return nil }
        return kinds[name]
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
    package static func acceptsFlag(_ name: String) -> Bool { kinds[name].map { $0 == .number } ?? true }

    /// Returns true if the attribute takes a UUID as its text.
    package static func acceptsUUID(_ name: String) -> Bool { kinds[name].map { $0 == .string } ?? true }

    /// The attributes that a call returns with the data of an item instead of with its attributes.
    package static let givenWithData: Set = ["binn", "bini", "bin0", "bin1", "bin2", "bin3"]

    /// Returns the values stored for attributes of the primary key that the caller leaves out, as apps get them back.
    static func defaults(of itemClass: ItemClass) -> [(String, AttributeValue)] {
        switch itemClass {
        case .genericPassword: [("acct", .string("")), ("svce", .string(""))]
        case .internetPassword:
            ["acct", "sdmn", "srvr", "atyp", "path"].map { ($0, .string("")) }
                + ["ptcl", "port"].map { ($0, .number(0)) }
        case .certificate: [("ctyp", .number(0))]
        case .key:
            ["kcls", "crtr", "type", "bsiz", "esiz"].map { ($0, .number(0)) } + ["sdat", "edat"].map { ($0, .date(0)) }
        case .identity: []
        }
    }

    /// The attributes of items of every class.
    private static let common: Set = ["cdat", "mdat", "labl", "alis", "vwht", "tkid"]
    private static let passwords: Set = [
        "desc", "icmt", "crtr", "type", "scrp", "invi", "nega", "cusi", "prot", "acct",
    ]
    private static let generic = passwords.union(["svce", "gena"])
    private static let internet = passwords.union(["sdmn", "srvr", "ptcl", "atyp", "port", "path"]).union(givenWithData)
    private static let certificate: Set = ["ctyp", "cenc", "subj", "issr", "slnr", "skid", "pkhh"]
    private static let key: Set = [
        "kcls", "perm", "priv", "modi", "klbl", "atag", "crtr", "type", "bsiz", "esiz", "sdat", "edat", "sens", "asen",
        "extr", "next", "encr", "decr", "drve", "sign", "vrfy", "snrc", "vyrc", "wrap", "unwp",
    ]
    private static let identity = certificate.union(key)

    private static func names(of itemClass: ItemClass) -> Set<String> {
        switch itemClass {
        case .genericPassword: generic
        case .internetPassword: internet
        case .certificate: certificate
        case .key: key
        case .identity: identity
        }
    }

    private static let kinds: [String: Kind] = {
        var kinds: [String: Kind] = [:]
        for name in [
            "crtr", "type", "scrp", "invi", "nega", "cusi", "ptcl", "port", "ctyp", "cenc", "kcls", "perm", "priv",
            "modi",
            "bsiz", "esiz", "sens", "asen", "extr", "next", "encr", "decr", "drve", "sign", "vrfy", "snrc", "vyrc",
            "wrap",
            "unwp",
        ] { kinds[name] = .number }
        for name in ["cdat", "mdat", "sdat", "edat"] { kinds[name] = .date }
        for name in ["subj", "issr", "slnr", "skid", "pkhh", "klbl"] { kinds[name] = .data }
        for name in [
            "labl", "alis", "desc", "icmt", "prot", "acct", "svce", "gena", "sdmn", "srvr", "atyp", "path", "atag",
        ] { kinds[name] = .blob }
        for name in givenWithData { kinds[name] = .data }
        for name in ["vwht", "tkid"] { kinds[name] = .string }
        return kinds
    }()
}

extension Attributes {
    /// Returns the attributes as items of this class store and match them. If several are wrong, the error names the
    /// first by name, because the order of a dictionary changes from run to run.
    func converted(for itemClass: ItemClass) throws(RequestError) -> Attributes {
        var converted = self
        var first: (name: String, fault: RequestError)?
        for (name, value) in values {
            do throws(RequestError) {
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
    ) throws(RequestError) -> AttributeValue {
        guard let kind = AttributeTable.kind(of: name, in: itemClass) else { throw .noSuchAttribute(name, itemClass) }
        guard let value = AttributeTable.converted(value, to: kind) else { throw .badValue(name) }
        return value
    }

    /// Returns all attributes of an item of this class, with defaults for its primary key and without dates, which the
    /// vault sets.
    func completed(for itemClass: ItemClass) throws(RequestError) -> Attributes {
        var completed = try converted(for: itemClass)
        for (name, value) in AttributeTable.defaults(of: itemClass) where completed[name] == nil {
            completed[name] = value
        }
        completed["cdat"] = nil
        completed["mdat"] = nil
        return completed
    }
}

extension ItemChanges {
    /// Returns the changes as items of this class take them. An update may set the creation date, and never the date of
    /// the last change.
    func converted(for itemClass: ItemClass) throws(RequestError) -> ItemChanges {
        var converted = self
        converted.attributes = try attributes?.completed(for: itemClass)
        converted.merging = try merging.converted(for: itemClass)
        if case .date(let date) = converted.merging["cdat"] ?? attributes?["cdat"] {
            guard date.isFinite, abs(date) < 1e14 else { throw .badValue("cdat") }
            converted.created = date
        }
        converted.merging["cdat"] = nil
        converted.merging["mdat"] = nil
        return converted
    }
}
