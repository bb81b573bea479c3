/// Allows or forbids servers that a secret may be lent for, which takes the passcode. Without either it returns the list.
package struct AllowLendingCall: NamedCall {
    package static let verb = Verb.allowLending
    package var name = ""
    /// The servers that it may be lent for from now on, as `https://api.example.com`.
    package var allowed: [String] = []
    /// The servers that it may not be lent for any more.
    package var forbidden: [String] = []
    package var subject: CallSubject? { .secret(name) }
    package var usesVault: Bool { true }

    package init() {}

    package init(_ name: String, allowing allowed: [String] = [], forbidding forbidden: [String] = []) {
        (self.name, self.allowed, self.forbidden) = (name, allowed, forbidden)
    }

    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try coder.text("name", &name)
        try coder.textsIfAny("allow", &allowed)
        try coder.textsIfAny("forbid", &forbidden)
    }

    package func purpose(usual: ItemPolicy) -> RequestPurpose {
        RequestPurpose("change the servers that a secret may be lent for")
    }

    package struct Reply: CallReply, WireValue, Hashable {
        /// The servers that it may be lent for now.
        package var servers: [String] = []

        package init() {}

        package init(servers: [String]) { self.servers = servers }

        package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
            try coder.texts("servers", &servers)
        }
    }
}
