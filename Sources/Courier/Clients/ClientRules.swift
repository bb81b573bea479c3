internal import Glibc
internal import LinuxSystem

/// The clients that a courier serves, and what each of their requests has to carry.
package struct ClientRules: Sendable {
    /// The clients that are served.
    package enum Admission: Hashable, Sendable {
        /// Every client that reaches the listener.
        case all
        /// Clients of a Unix socket that this user runs. If they have to be apart, those in the user namespace and the mount namespace of
        /// this process are refused.
        case user(UInt32, isApart: Bool)
        /// Clients of TCP over loopback that this user runs.
        case loopback(UInt32)
    }

    package var admission: Admission
    /// The text that each request has to carry as a credential; nil if it need not.
    package var token: LoanToken?
    /// False to find out about processes as on Linux before 6.5.
    var asksSocket = true

    /// Creates rules.
    package init(_ admission: Admission = .all, token: LoanToken? = nil) {
        (self.admission, self.token) = (admission, token)
    }

    /// Throws unless the client at the other end is served. Returns its program, as that calls itself; nil if it is not known.
    func admit(_ socket: Int32) throws(LoanRefusal) -> String? {
        switch admission {
        case .all: return nil
        case .loopback(let user):
            guard LoopbackPeer.user(of: socket) == user else {
                throw LoanRefusal(
                    .notAllowed, "This address is lent to another user of the machine, so nothing was sent.")
            }
            return nil
        case .user(let user, let isApart):
            guard let peer = SocketPeer(of: socket), peer.user == user else {
                throw LoanRefusal(.notAllowed, "This socket is lent to another user, so nothing was sent.")
            }
            return try program(of: socket, isApart: isApart)
        }
    }

    private func program(of socket: Int32, isApart: Bool) throws(LoanRefusal) -> String? {
        let process = PeerProcess(of: socket, asksSocket: asksSocket)
        let name = process?.read { number in ProcessStatus.name(of: number).map { "\($0) (process \(number))" } }
        guard isApart else { return name }
        // A process that is gone, or that cannot be looked into, could be any.
        guard let spaces = process?.read({ ProcessSpaces(of: $0) }), let own = ProcessSpaces.ofThisProcess else {
            throw LoanRefusal(
                .notAllowed, "The process that connected has ended or cannot be seen, so nothing was sent.")
        }
        if spaces == own {
            throw LoanRefusal(
                .notAllowed,
                "This process is in no sandbox, so nothing was sent. Connect from the container that the folder was lent to."
            )
        }
        return name
    }
}
