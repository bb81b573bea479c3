internal import PlainText

/// A private key in a list: everything but its private half.
package struct KeyEntry: Hashable, Sendable {
    /// The name, a path such as work/signing.
    package var name = ""
    /// The type, such as p256 or rsa2048.
    package var type = ""
    /// True if the key is in the enclave of the vault, which no bytes of it ever leave.
    package var isInEnclave = false
    /// The name of the smart card that the key is on; nil if it is on none.
    package var card: String?
    package var policy = ItemPolicy.usual
    /// The SHA-1 digest of the public key in hexadecimal digits, by which Apple's keychain finds keys and certificates.
    package var fingerprint = ""
    /// A text on the certificate of the key, short and on one line; nil if it has none.
    package var certificate: String?
    /// The time when it was stored, in seconds since 1970.
    package var created: Int64 = 0

    package init() {}

    package init(reading head: inout WireObject) throws(WireError) { try read(from: &head) }
}

extension KeyEntry: WireValue {
    /// Passes every member to `coder`, as it appears on the wire and in `--json` output.
    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try coder.text("name", &name)
        try coder.text("type", &type)
        try coder.flag("in-enclave", &isInEnclave)
        try coder.textIfSaid("card", &card)
        var policy: ItemPolicy? = policy
        try coder.policyIfSaid("policy", &policy)
        self.policy = policy ?? .usual
        try coder.text("fingerprint", &fingerprint)
        try coder.textOrNull("certificate", &certificate)
        try coder.number("created", &created)
    }
}
