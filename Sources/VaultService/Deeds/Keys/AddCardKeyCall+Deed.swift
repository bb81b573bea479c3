package import AgentProtocol
internal import CardKit
internal import Latchkey
package import SodiumKit

// The vault keeps the place of a key on a card, and the PIN, under an access policy. The key stays on its card.

extension AddCardKeyCall: Deed {
    package func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Reply> {
        let service = visit.service
        let policy = policy ?? service.settings.policy
        let pin = try Visit.orEmpty(secret)
        guard pin.count <= CardKeySecret.longestPIN else {
            throw AgentError(.request, "a PIN has at most \(CardKeySecret.longestPIN) bytes")
        }
        guard let place = card.place else {
            throw AgentError(.request, "\"key\" is a text of hexadecimal digits, two for each byte")
        }
        let locks = service.locks
        let wasUnlocked = service.keychain.isUnlocked
        try visit.addKey(name) { () throws(AgentError) in
            let publicKey = try service.cards.publicKey(at: place, pin: pin) {
                visit.obstacle(asked, sinceLock: locks, wasUnlocked: wasUnlocked)
            }
            try visit.store(
                CardKeySecret.bytes(place, pin: pin), of: publicKey, onCard: place.token, as: name, policy, asked)
        }
        return try CallResult(visit.key(name))
    }
}
