internal import AgentProtocol
internal import Latchkey

// Waiting for a smart card.

extension Visit {
    /// Returns the reason against the use of a card that was asked for after `locks` locks; nil if there is none. Other requests
    /// may use the card first. Meanwhile the vault may be locked, and the client may end.
    func obstacle(_ asked: AskedRequest, sinceLock locks: Int, wasUnlocked: Bool) -> AgentError? {
        if asked.visitor.isGone { return AgentError(.dismissed, "the program that asked has ended") }
        let isUnlocked = service.keychain.isUnlocked
        // A use that the policy allows while the vault is locked goes on after another lock.
        if !wasUnlocked || (isUnlocked && service.locks == locks) { return nil }
        return isUnlocked
            ? AgentError(.unavailable, "the vault was locked meanwhile, and is unlocked again: try again")
            : AgentError(.locked, "the vault was locked meanwhile: run `latchkey unlock` in a terminal")
    }
}
