internal import AgentProtocol
internal import Courier
internal import LatchkeyCLI
internal import LinuxSystem
internal import LoanRules
internal import PlainText
internal import SSHProtocol
internal import VaultService

/// The keys that logins are lent with, as an agent of SSH in the sandbox. It has no key: the owner's agent makes each signature, and
/// checks again what is checked here.
struct LentKeys: Sendable {
    private let lenders: [Lender]

    init(_ lenders: [Lender]) { self.lenders = lenders }

    /// Answers the requests of an SSH client.
    func serve(_ client: StreamClient) {
        var route = SSHRoute()
        while let message = Self.message(from: client) {
            let answer = SSHAgentRequest(message).map { self.answer($0, &route) } ?? .failure
            guard client.write(answer.bytes) else { return }
        }
    }

    /// Returns the next message without its length; nil if there is none. Nothing reads the body of one that has a secret.
    private static func message(from client: StreamClient) -> [UInt8]? {
        guard let head = client.read(4) else { return nil }
        var reader = SSHReader(head)
        guard let count = reader.number(), (1...SSHAgentRequest.longest).contains(Int(count)),
            let number = client.read(1), !SSHAgentRequest.Number.isSecret(number[0])
        else { return nil }
        return client.read(Int(count) - 1).map { number + $0 }
    }

    private func answer(_ request: SSHAgentRequest, _ route: inout SSHRoute) -> SSHAgentAnswer {
        switch request {
        case .list:
            // Programs on a host that the agent is forwarded to see nothing.
            if route.isForwarded { return .keys([]) }
            var keys: [(blob: [UInt8], comment: String)] = []
            for lender in lenders where !keys.contains(where: { $0.blob == lender.key }) {
                keys.append((lender.key, Terminal.line(lender.service.item, longest: 200)))
            }
            return .keys(keys)
        case .bind(let binding):
            let isAdded = route.add(binding)
            return isAdded && !route.isForwarded ? .success : .failure
        case .sign(let blob, let data, let flags): return sign(blob, data, flags, over: route)
        case .query: return .extensions
        case .remove, .removeAll, .add, .lock, .unlock, .unknown: return .failure
        }
    }

    private func sign(_ blob: [UInt8], _ data: [UInt8], _ flags: UInt32, over route: SSHRoute) -> SSHAgentAnswer {
        guard let lender = lender(of: blob, for: data, to: route.destination?.hostKey) else { return .failure }
        guard let binding = route.destination else {
            let why = route.isForwarded ? "its agent is not forwarded" : "ssh has to name its host, as OpenSSH 8.9 does"
            return refuse(lender, AgentError(.denied, "nothing was signed: \(why)"))
        }
        let call = SignLoginCall(
            hostKey: binding.hostKey.blob, session: binding.session, hostSignature: binding.signature, login: data,
            flags: flags)
        do throws(AgentError) {
            let answer = try lender.inTurn { (line) throws(AgentError) in try line.ask(call) }
            return .signature(answer.reply.signature)
        } catch { return refuse(lender, error) }
    }

    /// An SSH client shows no reason, so the terminal does.
    private func refuse(_ lender: Lender, _ error: AgentError) -> SSHAgentAnswer {
        let message = error.inCommandWords(for: lender.service.item, isKey: true).message
        Output.complain("\(lender.service.name): \(Terminal.line(message, longest: 400))")
        return .failure
    }

    /// Returns the loan of a key. If it is lent more than once, it is that for the host and the user of the login.
    private func lender(of blob: [UInt8], for data: [UInt8], to host: SSHPublicKey?) -> Lender? {
        let found = lenders.filter { $0.key == blob }
        guard found.count > 1, let host, case .login(let login) = SSHSignedData(data) else { return found.first }
        let known = KnownHosts.ofTheUser
        return found.first { lender in
            guard let account = lender.service.account else { return false }
            return account.user == login.user && known.keys(of: account.knownName).contains(host.plain.blob)
        } ?? found.first
    }
}
