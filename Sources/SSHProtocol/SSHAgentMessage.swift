/// A request of an SSH client to its agent.
package enum SSHAgentRequest: Hashable, Sendable {
    case list
    case sign(blob: [UInt8], data: [UInt8], flags: UInt32)
    /// Takes a key off the list.
    case remove(blob: [UInt8])
    case removeAll
    /// Locks the agent. Its passphrase was discarded.
    case lock
    /// Unlocks the agent. Its passphrase was discarded.
    case unlock
    /// Adds a key, or adds or removes those of a card. The key or the PIN was discarded.
    case add
    /// Names the extensions of the protocol.
    case query
    /// Says which connection to a host the requests are for; nil if that cannot be read.
    case bind(SSHSessionBinding?)
    /// Anything else, which the agent refuses.
    case unknown

    /// The numbers of messages, which the protocol fixes.
    package enum Number: Sendable {
        static let failure: UInt8 = 5
        static let success: UInt8 = 6
        static let list: UInt8 = 11
        static let keys: UInt8 = 12
        static let sign: UInt8 = 13
        static let signature: UInt8 = 14
        static let add: UInt8 = 17
        static let remove: UInt8 = 18
        static let removeAll: UInt8 = 19
        static let lock: UInt8 = 22
        static let addCard: UInt8 = 20
        static let removeCard: UInt8 = 21
        static let unlock: UInt8 = 23
        static let addConstrained: UInt8 = 25
        static let addCardConstrained: UInt8 = 26
        static let extensionRequest: UInt8 = 27
        static let extensionAnswer: UInt8 = 29

        /// Returns true if the body of such a message is secret, and must not be read: a private key, the PIN of a card, or
        /// a passphrase.
        package static func isSecret(_ number: UInt8) -> Bool {
            [add, addConstrained, addCard, removeCard, addCardConstrained, lock, unlock].contains(number)
        }
    }

    /// The most bytes in a message, as in OpenSSH.
    package static let longest = 256 * 1024
    static let bindName = "session-bind@openssh.com"
    static let queryName = "query"

    /// Reads a message without its length. Returns nil if it is cut or has more than it should. The body of a secret
    /// message is not looked at.
    package init?(_ message: [UInt8]) {
        var reader = SSHReader(message)
        guard let number = reader.byte() else { return nil }
        switch number {
        case Number.list: self = .list
        case Number.sign:
            guard let blob = reader.string(), let data = reader.string(), let flags = reader.number() else {
                return nil
            }
            self = .sign(blob: blob, data: data, flags: flags)
        case Number.remove:
            guard let blob = reader.string() else { return nil }
            self = .remove(blob: blob)
        case Number.removeAll: self = .removeAll
        case Number.lock: self = .lock
        case Number.unlock: self = .unlock
        case Number.add, Number.addConstrained, Number.addCard, Number.removeCard, Number.addCardConstrained:
            self = .add
        case Number.extensionRequest:
            guard let name = reader.text() else { return nil }
            if name == Self.queryName {
                guard reader.isAtEnd else { return nil }
                self = .query
            } else if name == Self.bindName {
                self = .bind(SSHSessionBinding(&reader))
            } else {
                self = .unknown
            }
            return
        default:
            self = .unknown
            return
        }
        guard reader.isAtEnd || Number.isSecret(number) else { return nil }
    }
}

/// The agent's answer to a request.
package enum SSHAgentAnswer: Sendable {
    /// The agent refuses.
    case failure
    /// The agent has done it.
    case success
    case keys([(blob: [UInt8], comment: String)])
    /// A signature, as SSH sends it.
    case signature([UInt8])
    /// The names of the extensions that the agent knows.
    case extensions

    /// The message, with its length before it.
    package var bytes: [UInt8] {
        var body = SSHWriter()
        switch self {
        case .failure: body.byte(SSHAgentRequest.Number.failure)
        case .success: body.byte(SSHAgentRequest.Number.success)
        case .keys(let keys):
            body.byte(SSHAgentRequest.Number.keys)
            body.number(UInt32(clamping: keys.count))
            for key in keys {
                body.string(key.blob)
                body.string(key.comment)
            }
        case .signature(let signature):
            body.byte(SSHAgentRequest.Number.signature)
            body.string(signature)
        case .extensions:
            body.byte(SSHAgentRequest.Number.extensionAnswer)
            body.string(SSHAgentRequest.queryName)
            body.string(SSHAgentRequest.queryName)
            body.string(SSHAgentRequest.bindName)
        }
        var message = SSHWriter()
        message.string(body.bytes)
        return message.bytes
    }
}
