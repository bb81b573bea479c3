/// Returns the certificate of a private key.
package struct CertificateCall: NamedCall {
    package static let verb = Verb.certificate
    package var name = ""
    package var subject: CallSubject? { .key(name) }
    package var usesVault: Bool { false }
    package var counts: Counting { .item }

    package init() {}

    package func purpose(usual: ItemPolicy) -> RequestPurpose { .look }
}
