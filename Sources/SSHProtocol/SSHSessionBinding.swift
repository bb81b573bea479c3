/// A client's claim that its next requests are for one connection to a host, with the host's signature.
package struct SSHSessionBinding: Hashable, Sendable {
    package let hostKey: SSHPublicKey
    /// The identifier of the connection, which both of its ends have computed.
    package let session: [UInt8]
    /// The signature of the identifier by the host.
    package let signature: [UInt8]
    /// True if the client forwards the agent to that host, and false if it logs in there.
    package let isForwarding: Bool

    /// The longest identifier: a digest.
    private static let longestSession = 128

    /// Creates a binding. Returns nil if a part is malformed, or if the host has a key of a type that KeyKit does not support.
    package init?(hostKey blob: [UInt8], session: [UInt8], signature: [UInt8], isForwarding: Bool) {
        guard (1...Self.longestSession).contains(session.count), let hostKey = SSHPublicKey(blob: blob) else {
            return nil
        }
        (self.hostKey, self.session, self.signature, self.isForwarding) = (hostKey, session, signature, isForwarding)
    }

    /// Reads a binding. Returns nil if it is malformed, or if the host has a key of a type that KeyKit does not support.
    init?(_ reader: inout SSHReader) {
        guard let blob = reader.string(), let session = reader.string(), let signature = reader.string(),
            let isForwarding = reader.flag(), reader.isAtEnd
        else { return nil }
        self.init(hostKey: blob, session: session, signature: signature, isForwarding: isForwarding)
    }

    /// True if the host has signed the identifier.
    package var isSigned: Bool { hostKey.verify(signature, of: session) }
}

/// The connections to hosts that one connection to the agent is for, the first one from this machine.
///
/// Each connection but the last is a hop over which the agent was forwarded.
package struct SSHRoute: Hashable, Sendable {
    /// The connections, in the order in which they were made.
    package private(set) var bindings: [SSHSessionBinding] = []
    /// True once a binding was refused. The client then counts as a program on a host that nothing names.
    package private(set) var isBroken = false

    /// The most connections.
    private static let longest = 16

    /// Creates the route of a client that has bound nothing.
    package init() {}

    /// Adds a connection. Returns false, and breaks the route, if the binding is malformed (nil), if the host has not
    /// signed it, or if it cannot follow.
    ///
    /// A refused binding may be one for forwarding. To forget it would turn a program on another host into one of this
    /// machine, so the route stays broken.
    package mutating func add(_ binding: SSHSessionBinding?) -> Bool {
        guard !isBroken, let binding, binding.isSigned, append(binding) else {
            isBroken = true
            return false
        }
        return true
    }

    private mutating func append(_ binding: SSHSessionBinding) -> Bool {
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

    /// The hosts from which the request comes. The program runs on the last one, unless the route is broken.
    package var hops: [SSHPublicKey] { bindings.filter(\.isForwarding).map(\.hostKey.plain) }

    /// The host that the client logs in to; nil if it has not named one.
    package var destination: SSHSessionBinding? {
        isBroken ? nil : bindings.last.flatMap { $0.isForwarding ? nil : $0 }
    }

    /// True if the client has bound nothing, and has not tried to.
    package var isUnbound: Bool { bindings.isEmpty && !isBroken }

    /// True if the requests come from another host.
    package var isForwarded: Bool { isBroken || bindings.contains(where: \.isForwarding) }

    /// Returns true if a program on another host may be the one that wants this data signed.
    ///
    /// OpenSSH 8.9 and newer names the host of each login. A login without one may come over a forwarded socket, which an
    /// older ssh, or one that forwards any socket, does not tell the agent.
    package func mayBeForwarded(_ data: SSHSignedData) -> Bool {
        if isForwarded { return true }
        if case .login = data { return destination == nil }
        return false
    }
}
