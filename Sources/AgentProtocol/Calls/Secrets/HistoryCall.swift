/// Returns the versions of a secret, with the names of their fields.
package struct HistoryCall: NamedCall {
    package static let verb = Verb.history
    package var name = ""
    package var subject: CallSubject? { .secret(name) }
    package var usesVault: Bool { true }
    package var counts: Counting { .item }

    package init() {}

    package func purpose(usual: ItemPolicy) -> RequestPurpose { .inWordsOfClient("list the versions of a secret") }

    /// The versions of the secret.
    package struct Reply: CallReply, WireValue, Hashable {
        /// The versions, the present one first.
        package var versions: [SecretVersion] = []

        package init() {}

        package init(_ versions: [SecretVersion]) { self.versions = versions }

        package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
            try coder.objects("versions", &versions) { SecretVersion() }
        }
    }
}
