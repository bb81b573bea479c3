/// Returns the name and the access policy of one secret, and what reading it would take now.
package struct ShowCall: NamedCall, LookingCall {
    package static let verb = Verb.show
    package var name = ""
    package var subject: CallSubject? { .secret(name) }
    package var counts: Counting { .item }

    package init() {}

    /// The secret as anyone may see it.
    package struct Reply: CallReply, WireValue, Hashable {
        package var item = Entry()
        /// The decision that a read of the secret would get now.
        package var outlook = Outlook.granted

        package init() {}

        package init(_ item: Entry, _ outlook: Outlook) { (self.item, self.outlook) = (item, outlook) }

        package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
            try coder.object("item", &item)
            try coder.object("outlook", &outlook)
        }
    }
}
