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
    /// True in a request that ends the limits which the key has. Otherwise one without destinations keeps them.
    package var isForAnyHost = false

    package init() {}

    package init(reading head: inout WireObject) throws(WireError) { try read(from: &head) }
}

extension SSHKeyEntry: WireValue {
    /// Passes every member to `coder`, as it appears on the wire, in the list and in `--json` output.
    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try coder.text("name", &name)
        try coder.text("key", &key)
        try coder.text("comment", &comment)
        try coder.objects("destinations", &destinations) { SSHKeyDestination() }
        try coder.flagIfTrue("any-host", &isForAnyHost)
    }
}

extension SSHKeyEntry {
    /// Returns the name of the file with the public key of this name, which has no folders in it.
    package static func fileName(of name: String) -> String {
        // Not by characters: a slash and an accent after it are one character, and still a slash for the system.
        var file = String.UnicodeScalarView(name.unicodeScalars.map { $0 == "/" ? "-" : $0 })
        if file.first == "." { file.insert("_", at: file.startIndex) }
        return String(file) + ".pub"
    }

    /// The longest name of a file. While it is written, it has a few characters more.
    private static let longestFileName = 200

    /// Returns the error for a name whose file would be too long, or would be that of another name; nil if there is none.
    package static func fault(ofFileFor name: String, beside others: [String]) -> AgentError? {
        let file = fileName(of: name)
        guard file.utf8.count <= longestFileName else {
            return AgentError(.request, "the name is too long for the file of the public key: choose a shorter one")
        }
        return others.first { $0 != name && fileName(of: $0) == file }.map {
            AgentError(
                .exists, "the file of the public key would be that of \($0): choose another name for the key")
        }
    }
}
