/// What kind of thing an item is: Apple's five classes, by Apple's values of `kSecClass`.
public enum ItemClass: String, CaseIterable, Sendable {
    /// A password for something.
    case genericPassword = "genp"
    /// A password for a place on the network.
    case internetPassword = "inet"
    /// A certificate.
    case certificate = "cert"
    /// A cryptographic key.
    case key = "keys"
    /// A certificate with its private key.
    case identity = "idnt"

    /// The number that stands for it in a row.
    var number: UInt8 {
        switch self {
        case .genericPassword: 1
        case .internetPassword: 2
        case .certificate: 3
        case .key: 4
        case .identity: 5
        }
    }

    init?(number: UInt8) {
        guard let found = Self.allCases.first(where: { $0.number == number }) else { return nil }
        self = found
    }

    /// The attributes that tell one item from another (semantics 3.2), with access group and synchronizability.
    var primaryKey: [IndexColumn] {
        switch self {
        case .genericPassword: [.acct, .svce]
        case .internetPassword: [.acct, .sdmn, .srvr, .ptcl, .atyp, .port, .path]
        case .certificate: Self.certificateKey
        case .key: Self.keyKey
        case .identity: Self.certificateKey + Self.keyKey  // it has no table of its own and the attributes of both
        }
    }

    /// The names of the attributes that apps tell one item from another by. Access group and synchronizability do so as well, and
    /// the two of ``PrimaryKey`` that hardly any item has.
    package var uniqueAttributes: [String] {
        switch self {
        case .genericPassword: Self.genericNames
        case .internetPassword: Self.internetNames
        case .certificate: Self.certificateNames
        case .key: Self.keyNames
        case .identity: Self.identityNames
        }
    }

    private static let genericNames = genericPassword.primaryKey.map(\.name)
    private static let internetNames = internetPassword.primaryKey.map(\.name)
    private static let certificateNames = certificate.primaryKey.map(\.name)
    private static let keyNames = key.primaryKey.map(\.name)
    private static let identityNames = identity.primaryKey.map(\.name)
    private static let certificateKey: [IndexColumn] = [.ctyp, .issr, .slnr]
    private static let keyKey: [IndexColumn] = [.kcls, .klbl, .atag, .crtr, .type, .bsiz, .esiz, .sdat, .edat]
}

/// The attributes by which items are found: each has a column with a keyed hash of its value.
///
/// The others lie in the row under encryption and can be compared only once they are opened.
public enum IndexColumn: UInt8, CaseIterable, Sendable {
    case acct = 1
    case svce = 2
    case sdmn = 3
    case srvr = 4
    case ptcl = 5
    case atyp = 6
    case port = 7
    case path = 8
    case labl = 9
    case desc = 10
    case icmt = 11
    case gena = 12
    case crtr = 13
    case type = 14
    case ctyp = 15
    case issr = 16
    case slnr = 17
    case subj = 18
    case skid = 19
    case pkhh = 20
    case kcls = 21
    case klbl = 22
    case atag = 23
    case bsiz = 24
    case esiz = 25
    case sdat = 26
    case edat = 27

    /// Apple's name of the attribute, which is that of the column in the database.
    public var name: String { Self.names[Int(rawValue)] }

    // Every look-up asks for several.
    private static let names = [""] + allCases.map(\.word)

    private var word: String {
        switch self {
        case .acct: "acct"
        case .svce: "svce"
        case .sdmn: "sdmn"
        case .srvr: "srvr"
        case .ptcl: "ptcl"
        case .atyp: "atyp"
        case .port: "port"
        case .path: "path"
        case .labl: "labl"
        case .desc: "desc"
        case .icmt: "icmt"
        case .gena: "gena"
        case .crtr: "crtr"
        case .type: "type"
        case .ctyp: "ctyp"
        case .issr: "issr"
        case .slnr: "slnr"
        case .subj: "subj"
        case .skid: "skid"
        case .pkhh: "pkhh"
        case .kcls: "kcls"
        case .klbl: "klbl"
        case .atag: "atag"
        case .bsiz: "bsiz"
        case .esiz: "esiz"
        case .sdat: "sdat"
        case .edat: "edat"
        }
    }

    /// The column of the attribute with this name, if it has one.
    public init?(name: String) {
        guard let column = Self.byName[name] else { return nil }
        self = column
    }

    private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.name, $0) })

    /// True if looking for it alone is fast among very many items as well. Each costs an add some time.
    var isIndexed: Bool {
        switch self {
        case .acct, .svce, .srvr, .labl, .atag, .klbl, .subj, .issr, .pkhh: true
        case .sdmn, .ptcl, .atyp, .port, .path, .desc, .icmt, .gena, .crtr, .type, .ctyp, .slnr, .skid, .kcls, .bsiz,
            .esiz, .sdat, .edat:
            false
        }
    }

    /// What a missing value counts as in a primary key: nothing, or zero.
    var missing: AttributeValue {
        switch self {
        case .ptcl, .port, .ctyp, .kcls, .crtr, .type, .bsiz, .esiz: .number(0)
        case .sdat, .edat: .date(0)
        case .acct, .svce, .sdmn, .srvr, .atyp, .path, .labl, .desc, .icmt, .gena, .issr, .slnr, .subj, .skid, .pkhh,
            .klbl, .atag:
            .data([])
        }
    }
}
