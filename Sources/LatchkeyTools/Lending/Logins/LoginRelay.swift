internal import AgentProtocol
internal import Courier
internal import Glibc
internal import LatchkeyCLI
internal import LinuxSystem
internal import LoanRules
internal import PlainText
internal import TLSClient

/// The way from a sandbox to a host that logins are lent for. It leads to that host alone, carries no secret, and is open while the loan
/// lives.
enum LoginRelay {
    /// The time to connect, in milliseconds.
    private static let patience = 10_000

    /// Makes the relay of a loan. It owns the listening socket.
    static func make(_ lender: Lender, to account: SSHAccount, listener: Int32) throws(SystemError) -> StreamServer {
        try StreamServer(listener: listener) { client in
            do {
                try lender.requireGoing()
                let host = try PlainSocket.connect(
                    to: account.host, port: account.port, addresses: account.isPrivate ? .any : .publicOnly,
                    withinMilliseconds: patience)
                client.pass(to: host)
            } catch {
                let fault = (error as? AgentError)?.inCommandWords(for: lender.service.item, isKey: true).message
                Output.complain("\(lender.service.name): \(Terminal.line(fault ?? "\(error)", longest: 400))")
            }
        }
    }
}
