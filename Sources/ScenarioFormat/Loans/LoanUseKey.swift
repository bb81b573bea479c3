/// The key of a service that says which uses are lent. A service has one of them.
enum LoanUseKey: String, CaseIterable {
    case http
    case git
    case ssh
    case otp
    case sign
    case decrypt
    case release

    /// True if it names a server.
    var isServer: Bool {
        switch self {
        case .http, .git: true
        case .ssh, .otp, .sign, .decrypt, .release: false
        }
    }

    /// Returns the mistake of a service that has these keys, and not one.
    static func fault(_ keys: [LoanUseKey]) -> String {
        if keys.count > 1 {
            return "a service has either \"\(keys[0].rawValue)\" or \"\(keys[1].rawValue)\": make two of it"
        }
        return
            "a service needs \"http\" with a server, \"git\" with a repository, \"ssh\" with a user and a host, or one of "
            + allCases.filter { !$0.isServer && $0 != .ssh }.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
    }
}
