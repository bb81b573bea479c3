/// Allows or forbids purposes that a secret may be lent for, which takes the passcode. Without either it returns the list.
package struct AllowLendingCall: NamedCall {
    package static let verb = Verb.allowLending
    package var name = ""
    /// The purposes that it may be lent for from now on: targets, as `https://api.example.com`, and words such as `codes`.
    package var allowed: [String] = []
    /// The purposes that it may not be lent for any more.
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
        RequestPurpose("change what a secret may be lent for")
    }

    package struct Reply: CallReply, WireValue, Hashable {
        /// The purposes that it may be lent for now.
        package var targets: [String] = []

        package init() {}

        package init(targets: [String]) { self.targets = targets }

        package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
            try coder.texts("targets", &targets)
        }
    }
}
