internal import CardKit
internal import Latchkey
internal import SodiumKit

// Adding keys on smart cards. The vault keeps their places and the PIN, under an access policy; the keys stay on their cards.

extension Session {
    func addCardKey(
        _ name: String, _ card: CardKeyReference, _ policy: ItemPolicy, _ secret: consuming SecureBytes?,
        _ asked: AskedRequest
    ) throws(AgentError) -> Answer {
        let pin = try Self.orEmpty(secret)
        guard pin.count <= CardKeySecret.longestPIN else {
            throw AgentError(.request, "a PIN has at most \(CardKeySecret.longestPIN) bytes")
        }
        guard let place = card.place else {
            throw AgentError(.request, "\"key\" is a text of hexadecimal digits, two for each byte")
        }
        let locks = agent.locks
        let wasUnlocked = agent.keychain.isUnlocked
        try addKey(name) { () throws(AgentError) in
            let publicKey = try agent.cards.publicKey(at: place, pin: pin) {
                obstacle(sinceLock: locks, wasUnlocked: wasUnlocked)
            }
            try store(
                CardKeySecret.bytes(place, pin: pin), of: publicKey, onCard: place.token, as: name, policy, asked)
        }
        return try key(name)
    }
}
