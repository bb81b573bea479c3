/// Stores the certificate of the frame with a private key, and deletes its former one.
package struct SetCertificateCall: AgentCall {
    package static let verb = Verb.setCertificate
    package var name = ""
    package var subject: CallSubject? { .key(name) }
    package var usesVault: Bool { true }

    package init() {}

    package init(_ name: String) { self.name = name }

    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try coder.text("name", &name)
    }

    package func purpose(usual: ItemPolicy) -> RequestPurpose {
        .inWordsOfClient("change the certificate of a private key")
    }
}
