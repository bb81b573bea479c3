/// Signs or decrypts the secret part of the frame with the private key that this connection lends. The key stays in the agent.
package struct UseKeyLoanCall: AgentCall {
    package static let verb = Verb.useKeyLoan
    /// The algorithm; nil for the usual one of the key.
    package var algorithm: String?
    /// True for r and s instead of DER.
    package var isRaw = false
    /// A borrower that goes on calling does not keep the vault unlocked.
    package var usesVault: Bool { false }
    package var counts: Counting { .nothing }

    package init() {}

    package init(algorithm: String?, isRaw: Bool = false) { (self.algorithm, self.isRaw) = (algorithm, isRaw) }

    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try coder.textIfSaid("algorithm", &algorithm)
        try coder.flagIfTrue("raw", &isRaw)
    }

    package func purpose(usual: ItemPolicy) -> RequestPurpose { RequestPurpose("use a key that is lent") }

    /// The signature. A message that was decrypted is in the secret part instead.
    package struct Reply: CallReply, WireValue, Hashable {
        /// The number of the use, by which it can be given back.
        package var number = 0
        package var signature: [UInt8] = []

        package init() {}

        package init(number: Int, signature: [UInt8] = []) { (self.number, self.signature) = (number, signature) }

        package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
            try coder.number("number", &number)
            try coder.bytes("signature", &signature)
        }
    }
}
