/// One permission to use a key: from this machine or a host, to log in to another host.
package struct SSHDestination: Hashable, Sendable {
    /// A host, by its name and its keys.
    package struct Host: Hashable, Sendable {
        /// The name, as the owner typed it.
        package var name: String
        /// The blobs of its keys.
        package var keys: [[UInt8]]

        package init(name: String, keys: [[UInt8]]) { (self.name, self.keys) = (name, keys) }

        fileprivate func has(_ key: SSHPublicKey) -> Bool { keys.contains(key.plain.blob) }
    }

    /// The host from which the key is used; nil for this machine.
    package var from: Host?
    /// The host to log in to.
    package var to: Host
    /// The user at that host; nil for any.
    package var user: String?

    package init(from: Host? = nil, to: Host, user: String? = nil) {
        (self.from, self.to, self.user) = (from, to, user)
    }

    /// Returns true if the permission begins at a host; nil is this machine.
    fileprivate func begins(at host: SSHPublicKey?) -> Bool {
        guard let host else { return from == nil }
        return from?.has(host) ?? false
    }
}

extension SSHRoute {
    /// Returns true if a client on this route may see a key with these permissions. A key without any is for everyone.
    package func permitsListing(_ destinations: [SSHDestination]) -> Bool {
        if destinations.isEmpty || isUnbound { return true }
        guard !isBroken, let last = bindings.last, permits(destinations, user: nil) else { return false }
        // At a host over which the agent is forwarded, only a key that serves beyond it is of use.
        return !last.isForwarding || destinations.contains { $0.begins(at: last.hostKey) }
    }

    /// Returns true if a client on this route may sign this data with a key that has these permissions.
    package func permitsSigning(_ data: SSHSignedData, with key: [UInt8], _ destinations: [SSHDestination]) -> Bool {
        if destinations.isEmpty { return true }
        // With permissions, the agent has to know every host.
        guard !isBroken, case .login(let login) = data, login.key == key, let last = bindings.last,
            !last.isForwarding, login.session == last.session
        else { return false }
        if let blob = login.hostKey {
            guard SSHPublicKey(blob: blob)?.plain == last.hostKey.plain else { return false }
        } else if bindings.count > 1 {
            // Only a bound login proves to the agent that the program on the far host told the truth.
            return false
        }
        return permits(destinations, user: login.user)
    }

    private func permits(_ destinations: [SSHDestination], user: String?) -> Bool {
        var former: SSHPublicKey?
        for (place, binding) in bindings.enumerated() {
            let isLast = place == bindings.count - 1
            guard binding.isForwarding || isLast else { return false }
            let isPermitted = destinations.contains { destination in
                destination.begins(at: former) && destination.to.has(binding.hostKey)
                    && (!isLast || user == nil || destination.user == nil || destination.user == user)
            }
            guard isPermitted else { return false }
            former = binding.hostKey
        }
        return true
    }
}
