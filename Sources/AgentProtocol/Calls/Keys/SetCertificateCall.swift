/// Stores the certificate of the frame with a private key, and deletes its former one.
package struct SetCertificateCall: NamedCall {
    package static let verb = Verb.setCertificate
    package var name = ""
    package var subject: CallSubject? { .key(name) }
    package var usesVault: Bool { true }

    package init() {}

    package func purpose(usual: ItemPolicy) -> RequestPurpose {
        .inWordsOfClient("change the certificate of a private key")
    }
}
