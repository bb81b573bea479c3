/// Decrypts the message of the frame.
package struct DecryptCall: AgentCall {
    package static let verb = Verb.decrypt
    package var name = ""
    package var algorithm: EncryptionAlgorithm = .eciesSHA256
    package var subject: CallSubject? { .key(name) }
    package var usesVault: Bool { true }
    package var counts: Counting { .item }

    package init() {}

    package init(_ name: String, _ algorithm: EncryptionAlgorithm) { (self.name, self.algorithm) = (name, algorithm) }

    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try coder.text("name", &name)
        try coder.word("algorithm", &algorithm)
    }

    package func purpose(usual: ItemPolicy) -> RequestPurpose { .inWordsOfClient("decrypt with a private key") }
}
