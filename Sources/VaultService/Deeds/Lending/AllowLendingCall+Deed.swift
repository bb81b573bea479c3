internal import AccessPolicy
package import AgentProtocol
internal import HTTPWire
internal import Latchkey
internal import LoanRules
internal import SecretVault
package import SodiumKit

extension AllowLendingCall: Deed {
    package func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Reply> {
        var servers = LendingServers(of: try visit.stored(name))
        if allowed.isEmpty && forbidden.isEmpty { return CallResult(Reply(servers: servers.all)) }
        try servers.change(allowing: try Self.servers(allowed), forbidding: try Self.servers(forbidden))
        let (context, _) = try visit.context(asked)
        try visit.askForPasscode(in: context, because: "change the servers that \(name) may be lent for")
        try visit.change(name, servers.change, .keep, asked)
        return CallResult(Reply(servers: servers.all))
    }

    private static func servers(_ texts: [String]) throws(AgentError) -> [String] {
        try texts.map { (text) throws(AgentError) in
            guard let server = WireOrigin(server: text) else {
                throw AgentError(.request, "a server is named by https:// and its host, as in https://api.example.com")
            }
            return server.text
        }
    }
}
