/// Signs a digest, which is given in hexadecimal digits. It `isRaw` for r and s instead of DER.
package struct SignCall: AgentCall {
    package static let verb = Verb.sign
    package var name = ""
    package var digest = ""
    package var algorithm: SignatureAlgorithm = .ecdsaSHA256
    package var isRaw = false
    package var subject: CallSubject? { .key(name) }
    package var usesVault: Bool { true }
    package var counts: Counting { .item }

    package init() {}

    package init(_ name: String, digest: String, _ algorithm: SignatureAlgorithm, isRaw: Bool) {
        (self.name, self.digest, self.algorithm, self.isRaw) = (name, digest, algorithm, isRaw)
    }

    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try coder.text("name", &name)
        try coder.text("digest", &digest)
        try coder.word("algorithm", &algorithm)
        try coder.flagIfTrue("raw", &isRaw)
    }

    package func purpose(usual: ItemPolicy) -> RequestPurpose { .inWordsOfClient("sign with a private key") }

    /// The signature, which is no secret.
    package struct Reply: CallReply, WireValue, Hashable {
        package var signature: [UInt8] = []

        package init() {}

        package init(_ signature: [UInt8]) { self.signature = signature }

        package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
            try coder.bytes("signature", &signature)
        }
    }
}
