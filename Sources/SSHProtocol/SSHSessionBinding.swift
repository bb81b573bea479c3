/// The word of an SSH client that the requests which follow are for one connection to a host, with the host's signature.
package struct SSHSessionBinding: Hashable, Sendable {
    /// The key of the host.
    package let hostKey: SSHPublicKey
    /// The identifier of the connection, which both of its ends have computed.
    package let session: [UInt8]
    /// The signature of the identifier by the host.
    package let signature: [UInt8]
    /// True if the client forwards the agent to that host, and false if it logs in there.
    package let isForwarding: Bool

    /// The longest identifier: a digest.
    private static let longestSession = 128

    init?(_ reader: inout SSHReader) {
        guard let blob = reader.string(), let session = reader.string(), let signature = reader.string(),
            let isForwarding = reader.flag(), reader.isAtEnd, let hostKey = SSHPublicKey(blob: blob),
            (1...Self.longestSession).contains(session.count)
        else { return nil }
        (self.hostKey, self.session, self.signature, self.isForwarding) = (hostKey, session, signature, isForwarding)
    }

    /// True if the host has signed the identifier.
    package var isSigned: Bool { hostKey.verify(signature, of: session) }
}

/// The connections to hosts that one connection to the agent is for, the first one from this machine.
///
/// Every one but the last is a hop over which the agent was forwarded.
package struct SSHRoute: Hashable, Sendable {
    /// The connections, in the order in which they were made.
    package private(set) var bindings: [SSHSessionBinding] = []

    /// The most connections.
    private static let longest = 16

    /// Creates the route of a client that has said nothing.
    package init() {}

    /// Adds a connection. Returns false, and changes nothing, if the host has not signed for it or it cannot follow.
    package mutating func add(_ binding: SSHSessionBinding) -> Bool {
        guard binding.isSigned else { return false }
        for former in bindings {
            // A client that logs in itself forwards nothing over the same connection to the agent.
            guard former.isForwarding else { return false }
            if former.session == binding.session {
                return former.hostKey.plain == binding.hostKey.plain && former.isForwarding == binding.isForwarding
            }
        }
        guard bindings.count < Self.longest else { return false }
        bindings.append(binding)
        return true
    }

    /// The hosts from which the request comes, the last one being where its program runs.
    package var hops: [SSHPublicKey] { bindings.filter(\.isForwarding).map(\.hostKey.plain) }

    /// The host that the client logs in to; nil if it has not said that.
    package var destination: SSHSessionBinding? { bindings.last.flatMap { $0.isForwarding ? nil : $0 } }
}
