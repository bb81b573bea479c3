internal import PlainText

/// A permission to use a key of SSH on the way to a host.
package struct SSHKeyDestination: Hashable, Sendable {
    /// The name of the host from which the key is used; nil for this machine.
    package var from: String?
    /// The blobs of that host's keys, in base64.
    package var fromKeys: [String] = []
    /// The user at the host to log in to; nil for any.
    package var user: String?
    /// The name of the host to log in to.
    package var to = ""
    /// The blobs of that host's keys, in base64.
    package var toKeys: [String] = []

    /// Creates an empty permission.
    package init() {}
}

extension SSHKeyDestination: WireValue {
    /// Passes every member to `coder`, as it appears on the wire and in the list.
    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try coder.textIfSaid("from", &from)
        try coder.texts("from-keys", &fromKeys)
        try coder.textIfSaid("user", &user)
        try coder.text("to", &to)
        try coder.texts("to-keys", &toKeys)
    }
}

/// A key that SSH clients see, also while the vault is locked: nothing but its public half.
package struct SSHKeyEntry: Hashable, Sendable {
    /// The name of the private key, or its fingerprint if another key has the name too.
    package var name = ""
    /// The blob of the public key, in base64. Empty in a request.
    package var key = ""
    /// The comment that SSH clients show.
    package var comment = ""
    /// The permissions that limit where the key is used; empty for everywhere.
    package var destinations: [SSHKeyDestination] = []

    /// Creates an empty entry.
    package init() {}

    /// Reads an entry from the wire.
    package init(reading head: inout Head) throws(WireError) { try read(from: &head) }
}

extension SSHKeyEntry: WireValue {
    /// Passes every member to `coder`, as it appears on the wire, in the list and in `--json` output.
    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try coder.text("name", &name)
        try coder.text("key", &key)
        try coder.text("comment", &comment)
        try coder.objects("destinations", &destinations) { SSHKeyDestination() }
    }
}
