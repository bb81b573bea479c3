/// Returns the certificate of a private key.
package struct CertificateCall: NamedCall, LookingCall {
    package static let verb = Verb.certificate
    package var name = ""
    package var subject: CallSubject? { .key(name) }
    package var counts: Counting { .item }

    package init() {}
}
