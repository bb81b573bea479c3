/// A key on a smart card, as a request names it.
package struct CardKeyReference: Hashable, Sendable {
    /// The path of the module for the card.
    package var module = ""
    package var serial = ""
    /// The name of the card.
    package var token = ""
    /// The number of the key on the card, in hexadecimal digits.
    package var key = ""

    package init() {}

    package init(reading head: inout WireObject) throws(WireError) { try read(from: &head) }
}

extension CardKeyReference: WireValue {
    /// Passes every member to `coder`, as it appears on the wire and in the vault.
    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try coder.text("module", &module)
        try coder.text("serial", &serial)
        try coder.text("token", &token)
        try coder.text("key", &key)
    }
}
