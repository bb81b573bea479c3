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
