/// The reply about one private key: its entry, and its public half.
package struct KeyReply: CallReply, WireValue, Hashable {
    package var entry = KeyEntry()
    /// The public key as a SubjectPublicKeyInfo.
    package var publicKey: [UInt8] = []

    package init() {}

    package init(_ entry: KeyEntry, publicKey: [UInt8]) { (self.entry, self.publicKey) = (entry, publicKey) }

    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try coder.object("key", &entry)
        try coder.bytes("public", &publicKey)
    }
}
