/// The attributes of items, by Apple's names. A case is called like Apple's constant, without its prefix.
package enum AttributeName: String, CaseIterable, Sendable {
    // MARK: All items
    case creationDate = "cdat"
    case modificationDate = "mdat"
    case label = "labl"
    case alias = "alis"
    case syncViewHint = "vwht"
    case tokenID = "tkid"

    // MARK: Passwords
    case account = "acct"
    case description = "desc"
    case comment = "icmt"
    case scriptCode = "scrp"
    case isInvisible = "invi"
    case isNegative = "nega"
    case hasCustomIcon = "cusi"
    case protected = "prot"
    case service = "svce"
    case generic = "gena"
    case securityDomain = "sdmn"
    case server = "srvr"
    case networkProtocol = "ptcl"
    case authenticationType = "atyp"
    case port = "port"
    case path = "path"

    // MARK: Passwords and keys
    case creator = "crtr"
    /// The type of a password or of a key.
    case type = "type"

    // MARK: Secret parts of internet passwords
    case extraNotes = "binn"
    case extraHistory = "bini"
    case extraClientDefined0 = "bin0"
    case extraClientDefined1 = "bin1"
    case extraClientDefined2 = "bin2"
    case extraClientDefined3 = "bin3"

    // MARK: Certificates
    case certificateType = "ctyp"
    case certificateEncoding = "cenc"
    case subject = "subj"
    case issuer = "issr"
    case serialNumber = "slnr"
    case subjectKeyID = "skid"
    case publicKeyHash = "pkhh"

    // MARK: Keys
    case keyClass = "kcls"
    case applicationLabel = "klbl"
    case applicationTag = "atag"
    case keySizeInBits = "bsiz"
    case effectiveKeySize = "esiz"
    case startDate = "sdat"
    case endDate = "edat"
    case isPermanent = "perm"
    case isPrivate = "priv"
    case isModifiable = "modi"
    case isSensitive = "sens"
    case wasAlwaysSensitive = "asen"
    case isExtractable = "extr"
    case wasNeverExtractable = "next"
    case canEncrypt = "encr"
    case canDecrypt = "decr"
    case canDerive = "drve"
    case canSign = "sign"
    case canVerify = "vrfy"
    case canSignRecover = "snrc"
    case canVerifyRecover = "vyrc"
    case canWrap = "wrap"
    case canUnwrap = "unwp"
}

extension Attributes {
    /// Creates attributes with these values.
    package init(_ values: KeyValuePairs<AttributeName, AttributeValue>) {
        self.init()
        for (name, value) in values { self[name] = value }
    }

    /// The value of an attribute.
    package subscript(name: AttributeName) -> AttributeValue? {
        get { values[name.rawValue] }
        set { values[name.rawValue] = newValue }
    }

    /// Returns the text of an attribute; nil if it has none.
    package func text(_ name: AttributeName) -> String? {
        if case .string(let text)? = self[name] { text } else { nil }
    }
}
