/// An attribute that a search can find items by. Its column in the database holds a keyed hash of its value.
///
/// All other attributes are stored encrypted, and can be compared only after the vault has decrypted them.
public enum IndexColumn: UInt8, CaseIterable, Sendable {
    /// The account, `kSecAttrAccount`.
    case acct = 1
    /// The service, `kSecAttrService`.
    case svce = 2
    /// The security domain, `kSecAttrSecurityDomain`.
    case sdmn = 3
    /// The server, `kSecAttrServer`.
    case srvr = 4
    /// The protocol, `kSecAttrProtocol`.
    case ptcl = 5
    /// The authentication type, `kSecAttrAuthenticationType`.
    case atyp = 6
    /// The port, `kSecAttrPort`.
    case port = 7
    /// The path, `kSecAttrPath`.
    case path = 8
    /// The label, `kSecAttrLabel`.
    case labl = 9
    /// The description, `kSecAttrDescription`.
    case desc = 10
    /// The comment, `kSecAttrComment`.
    case icmt = 11
    /// The generic attribute, `kSecAttrGeneric`.
    case gena = 12
    /// The creator, `kSecAttrCreator` or `kSecAttrKeyCreator`.
    case crtr = 13
    /// The type, `kSecAttrType`, or the type of a key, `kSecAttrKeyType`.
    case type = 14
    /// The certificate type, `kSecAttrCertificateType`.
    case ctyp = 15
    /// The issuer of a certificate, `kSecAttrIssuer`.
    case issr = 16
    /// The serial number of a certificate, `kSecAttrSerialNumber`.
    case slnr = 17
    /// The subject of a certificate, `kSecAttrSubject`.
    case subj = 18
    /// The identifier of a certificate's subject key, `kSecAttrSubjectKeyID`.
    case skid = 19
    /// The hash of a certificate's public key, `kSecAttrPublicKeyHash`.
    case pkhh = 20
    /// The class of a key, `kSecAttrKeyClass`.
    case kcls = 21
    /// The application label of a key, `kSecAttrApplicationLabel`.
    case klbl = 22
    /// The application tag of a key, `kSecAttrApplicationTag`.
    case atag = 23
    /// The size of a key in bits, `kSecAttrKeySizeInBits`.
    case bsiz = 24
    /// The effective size of a key, `kSecAttrEffectiveKeySize`.
    case esiz = 25
    /// The start date of a key, `kSecAttrStartDate`.
    case sdat = 26
    /// The end date of a key, `kSecAttrEndDate`.
    case edat = 27

    /// Apple's name of the attribute, which is also the name of the column.
    public var name: String { Self.names[Int(rawValue)] }

    // Every lookup needs several names, so they are computed once.
    private static let names = [""] + allCases.map(\.attribute.rawValue)

    /// The attribute.
    var attribute: AttributeName {
        switch self {
        case .acct: .account
        case .svce: .service
        case .sdmn: .securityDomain
        case .srvr: .server
        case .ptcl: .networkProtocol
        case .atyp: .authenticationType
        case .port: .port
        case .path: .path
        case .labl: .label
        case .desc: .description
        case .icmt: .comment
        case .gena: .generic
        case .crtr: .creator
        case .type: .type
        case .ctyp: .certificateType
        case .issr: .issuer
        case .slnr: .serialNumber
        case .subj: .subject
        case .skid: .subjectKeyID
        case .pkhh: .publicKeyHash
        case .kcls: .keyClass
        case .klbl: .applicationLabel
        case .atag: .applicationTag
        case .bsiz: .keySizeInBits
        case .esiz: .effectiveKeySize
        case .sdat: .startDate
        case .edat: .endDate
        }
    }

    /// Creates the column of the attribute with this name. Returns nil if the attribute has none.
    public init?(name: String) {
        guard let column = Self.byName[name] else { return nil }
        self = column
    }

    private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.name, $0) })

    /// True if the column has an index, so that a search by it alone is fast among very many items. Each index makes
    /// adding an item slower.
    var isIndexed: Bool {
        switch self {
        case .acct, .svce, .srvr, .labl, .atag, .klbl, .subj, .issr, .pkhh: true
        case .sdmn, .ptcl, .atyp, .port, .path, .desc, .icmt, .gena, .crtr, .type, .ctyp, .slnr, .skid, .kcls, .bsiz,
            .esiz, .sdat, .edat:
            false
        }
    }
}
