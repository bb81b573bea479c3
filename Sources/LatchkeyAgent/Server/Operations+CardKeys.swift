internal import AgentProtocol
internal import CardKit
internal import Latchkey
internal import SodiumKit

// Keys on smart cards: adding one, and waiting for a card. The vault keeps their places and the PIN, under an access policy; the keys stay on their cards.

extension Visit {
    func addCardKey(
        _ name: String, _ card: CardKeyReference, _ policy: ItemPolicy, _ secret: consuming SecureBytes?,
        _ asked: AskedRequest
    ) throws(AgentError) -> Answer<RawReply> {
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

    /// Returns the reason against the use of a card that was asked for after `locks` locks; nil if there is none. Other requests
    /// may use the card first. Meanwhile the vault may be locked, and the client may end.
    func obstacle(sinceLock locks: Int, wasUnlocked: Bool) -> AgentError? {
        if presentRequest?.visitor.isGone != false { return AgentError(.dismissed, "the program that asked has ended") }
        let isUnlocked = agent.keychain.isUnlocked
        // A use that the policy allows while the vault is locked goes on after another lock.
        if !wasUnlocked || (isUnlocked && agent.locks == locks) { return nil }
        return isUnlocked
            ? AgentError(.unavailable, "the vault was locked meanwhile, and is unlocked again: try again")
            : AgentError(.locked, "the vault was locked meanwhile: run `latchkey unlock` in a terminal")
    }
}
