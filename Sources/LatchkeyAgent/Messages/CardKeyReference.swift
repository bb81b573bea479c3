package import CardKit

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

    package init(_ place: CardKeyPlace) {
        (module, serial, token) = (place.module, place.serial, place.token)
        key = Hexadecimal.text(place.identifier)
    }

    init(reading head: inout Head) throws(WireError) { try read(from: &head) }

    /// The place of the key; nil if its number is none.
    package var place: CardKeyPlace? {
        guard let identifier = Hexadecimal.bytes(key), !identifier.isEmpty else { return nil }
        return CardKeyPlace(module: module, serial: serial, token: token, identifier: identifier)
    }
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
