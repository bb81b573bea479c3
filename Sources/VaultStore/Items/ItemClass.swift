/// The class of an item: one of Apple's five, with Apple's value of `kSecClass`.
public enum ItemClass: String, CaseIterable, Sendable {
    /// A password, `kSecClassGenericPassword`.
    case genericPassword = "genp"
    /// A password for a server, `kSecClassInternetPassword`.
    case internetPassword = "inet"
    /// A certificate, `kSecClassCertificate`.
    case certificate = "cert"
    /// A cryptographic key, `kSecClassKey`.
    case key = "keys"
    /// A certificate with its private key, `kSecClassIdentity`.
    case identity = "idnt"

    /// The number that stands for the class in a row.
    package var number: UInt8 {
        switch self {
        case .genericPassword: 1
        case .internetPassword: 2
        case .certificate: 3
        case .key: 4
        case .identity: 5
        }
    }

    package init?(number: UInt8) {
        guard let found = Self.allCases.first(where: { $0.number == number }) else { return nil }
        self = found
    }

    /// The attributes that identify an item of this class, together with access group and synchronizability (semantics
    /// 3.2).
    package var primaryKey: [IndexColumn] {
        switch self {
        case .genericPassword: [.acct, .svce]
        case .internetPassword: [.acct, .sdmn, .srvr, .ptcl, .atyp, .port, .path]
        case .certificate: Self.certificateKey
        case .key: Self.keyKey
        case .identity: Self.certificateKey + Self.keyKey  // an identity has the attributes of a certificate and a key
        }
    }

    /// The names of the attributes that identify an item of this class. The primary key also includes access group,
    /// synchronizability, and the two attributes in ``PrimaryKey`` that hardly any item has.
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
