/// Computes the one-time code of a secret that holds a seed. The agent gives out the digits, and never the seed.
///
/// A code by a counter changes the secret: the next counter is saved first.
package struct CodeCall: NamedCall {
    package static let verb = Verb.code
    package var name = ""
    package var subject: CallSubject? { .secret(name) }
    package var usesVault: Bool { true }
    package var counts: Counting { .item }

    package init() {}

    package func purpose(usual: ItemPolicy) -> RequestPurpose { .inWordsOfClient("read a secret") }

    package struct Reply: CallReply, WireValue, Hashable {
        /// The seconds for which the code stays valid; nil if it counts until it is used.
        package var secondsLeft: Int?

        package init() {}

        package init(secondsLeft: Int?) { self.secondsLeft = secondsLeft }

        package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
            try coder.numberIfSaid("seconds-left", &secondsLeft)
        }
    }
}
