package import AgentProtocol
package import CardKit

extension CardKeyReference {
    package init(_ place: CardKeyPlace) {
        self.init()
        (module, serial, token) = (place.module, place.serial, place.token)
        key = Hexadecimal.text(place.identifier)
    }

    /// The place of the key; nil if its number is none.
    package var place: CardKeyPlace? {
        guard let identifier = Hexadecimal.bytes(key), !identifier.isEmpty else { return nil }
        return CardKeyPlace(module: module, serial: serial, token: token, identifier: identifier)
    }
}
