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
}
