package import KeyKit

/// A smart card, or another token, as its module describes it.
package struct CardToken: Hashable, Sendable {
    /// The state of a PIN, as its token tells it.
    package enum PIN: String, CaseIterable, Sendable {
        /// None is needed.
        case none
        /// It is typed on the token itself.
        case onToken = "on-token"
        /// It is needed, and nothing speaks against it.
        case needed
        /// It is needed, and the last one was wrong.
        case neededAfterMistake = "needed-after-mistake"
        /// It is needed, and if it is wrong, the token locks itself.
        case lastTry = "last-try"
        /// The token is locked, because too many were wrong.
        case locked
    }

    /// The name that its owner gave to the token.
    package var label: String
    /// The serial number, by which its maker tells it from others.
    package var serial: String
    package var pin: PIN

    package init(label: String, serial: String, pin: PIN) {
        (self.label, self.serial, self.pin) = (label, serial, pin)
    }
}

/// A private key on a token.
package struct CardKey: Hashable, Sendable {
    package var token: CardToken
    /// The number that the token gives to the key and to its public half.
    package var identifier: [UInt8]
    package var label: String
    package var publicKey: PublicKey

    package init(token: CardToken, identifier: [UInt8], label: String, publicKey: PublicKey) {
        (self.token, self.identifier, self.label, self.publicKey) = (token, identifier, label, publicKey)
    }
}

/// A private key on a token, as a vault remembers it.
package struct CardKeyPlace: Hashable, Sendable {
    /// The path of the module for the token.
    package var module: String
    /// The serial number of the token.
    package var serial: String
    /// The name of the token.
    package var token: String
    /// The number of the key on the token.
    package var identifier: [UInt8]

    package init(module: String, serial: String, token: String, identifier: [UInt8]) {
        (self.module, self.serial, self.token, self.identifier) = (module, serial, token, identifier)
    }

    package init(of key: CardKey, by module: String) {
        self.init(
            module: module, serial: key.token.serial, token: key.token.label, identifier: key.identifier)
    }
}
