internal import Courier
internal import HTTPWire
internal import LoanRules

/// The variables by which git in the sandbox finds lent repositories, without a file.
struct GitEnvironment {
    private var settings: [(key: String, value: String)] = []

    /// Has git take a repository from an address in the sandbox, and everything else of its server too, where it is refused with a
    /// sentence. With a token, git sends it with each request there.
    mutating func add(_ loan: GitLoan, at server: WireOrigin, by base: String, carrying token: LoanToken?) {
        for address in loan.addresses(at: server) { settings.append(("url.\(base)\(loan.path).insteadOf", address)) }
        settings.append(("url.\(base)/.insteadOf", "\(server.text)/"))
        if let token { settings.append(("http.\(base)/.extraHeader", "Authorization: Bearer \(token.text)")) }
    }

    /// Has git name a host without its port, which the settings of SSH have.
    mutating func add(_ account: SSHAccount) {
        guard account.address != account.clientAddress else { return }
        settings.append(("url.\(account.clientAddress)/.insteadOf", "\(account.address)/"))
    }

    var variables: [(name: String, value: String)] {
        if settings.isEmpty { return [] }
        var variables = [("GIT_CONFIG_COUNT", "\(settings.count)"), ("GIT_TERMINAL_PROMPT", "0")]
        for (number, setting) in settings.enumerated() {
            variables.append(("GIT_CONFIG_KEY_\(number)", setting.key))
            variables.append(("GIT_CONFIG_VALUE_\(number)", setting.value))
        }
        return variables
    }
}
