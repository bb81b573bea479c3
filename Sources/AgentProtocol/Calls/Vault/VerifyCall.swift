/// Verifies everything that is stored.
package struct VerifyCall: LookingCall {
    package typealias Part = String
    package static let verb = Verb.verify
    package static let parts = "findings"

    package init() {}

    /// The numbers of items that were verified. The findings go ahead of it.
    package struct Reply: CallReply, WireValue, Hashable {
        /// The number of intact items.
        package var items = 0
        /// The number of items that were also decrypted.
        package var opened = 0
        /// The number of findings.
        package var findings = 0

        package init() {}

        package init(items: Int, opened: Int, findings: Int) {
            (self.items, self.opened, self.findings) = (items, opened, findings)
        }

        package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
            try coder.number("items", &items)
            try coder.number("opened", &opened)
            try coder.number("findings", &findings)
        }
    }
}
