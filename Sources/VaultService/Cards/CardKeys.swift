internal import AgentProtocol
internal import CardKit
internal import Glibc
internal import KeyKit
internal import SodiumKit
internal import Synchronization

/// The keys on smart cards that an agent uses. One signature is made at a time.
final class CardKeys: Sendable {
    /// The stored PINs that a card has refused, or may have, as hashes. They are not tried again: a card locks itself after a few
    /// wrong ones, and not every card says that there was one.
    private let refused = Mutex<Set<[UInt8]>>([])
    /// The key of the hashes.
    private let key: Key
    /// True while a card signs.
    private let isTaken = Atomic(false)
    /// The time between two looks whether the turn has come, in microseconds.
    private static let pause: UInt32 = 50_000

    /// Throws if no guarded memory is left.
    init() throws(AgentError) {
        do throws(SodiumError) { key = try Key.random() } catch { throw AgentError(.agent, "\(error)") }
    }

    /// Throws if no key on a card does this.
    static func check(_ operation: KeyOperation) throws(AgentError) {
        guard case .sign(let input, let scheme) = operation, CardModule.canSign(scheme) else {
            throw AgentError(CardError.unsupportedScheme)
        }
        guard input.count <= CardProcess.longestInput else {
            throw AgentError(CardError.inputTooLong(limit: CardProcess.longestInput))
        }
    }

    /// Waits for the turn to use a card, unless something speaks against that. A card may keep others waiting for a minute.
    private func takeTurn(unless obstacle: () -> AgentError?) throws(AgentError) {
        while isTaken.exchange(true, ordering: .acquiring) {
            if let fault = obstacle() { throw fault }
            usleep(Self.pause)
        }
        guard let fault = obstacle() else { return }
        endTurn()
        throw fault
    }

    private func endTurn() { isTaken.store(false, ordering: .releasing) }

    /// Carries out an operation with a stored key, of which this is the public half, unless something speaks against it before
    /// it has its turn.
    func perform(
        _ operation: KeyOperation, with use: consuming CardKeyUse, _ publicKey: PublicKey,
        unless obstacle: () -> AgentError?
    ) throws(AgentError) -> KeyOutput {
        guard case .sign(let input, let scheme) = operation else { throw AgentError(CardError.unsupportedScheme) }
        let signature = try sign(
            input, scheme, with: use.place, pin: use.pin, .stored, by: publicKey, unless: obstacle)
        return .signature(signature)
    }

    /// Returns the public half of the key at a place, once the card has signed with this PIN, which the user has typed. Something
    /// may speak against that before it has its turn.
    func publicKey(
        at place: CardKeyPlace, pin: borrowing SecureBytes, unless obstacle: () -> AgentError?
    ) throws(AgentError) -> PublicKey {
        let keys = try CardProcess.keys(by: place.module)
        let ofToken = keys.filter { $0.token.serial == place.serial && $0.token.label == place.token }
        if ofToken.isEmpty { throw AgentError(CardError.noToken(place.token)) }
        guard let key = ofToken.first(where: { $0.identifier == place.identifier })?.publicKey else {
            throw AgentError(CardError.noKey(place.token))
        }
        let algorithm = SignatureAlgorithm.usual(for: key.type.family)
        _ = try sign(
            Sodium.randomBytes(algorithm.hash?.digestCount ?? 32), algorithm.scheme(isRaw: true), with: place, pin: pin,
            .typed, by: key, unless: obstacle)
        return key
    }

    /// Returns a signature by a key, of which `publicKey` is the public half.
    private func sign(
        _ input: [UInt8], _ scheme: SignatureScheme, with place: CardKeyPlace, pin: borrowing SecureBytes,
        _ reason: CardModule.Try, by publicKey: PublicKey, unless obstacle: () -> AgentError?
    ) throws(AgentError) -> [UInt8] {
        let mark = try mark(place, pin)
        try takeTurn(unless: obstacle)
        defer { endTurn() }
        if reason == .stored, refused.withLock({ $0.contains(mark) }) {
            throw AgentError(CardError.refusedStoredPIN(place.token))
        }
        let signature: [UInt8]
        do throws(CardProcess.Failure) {
            signature = try CardProcess.sign(input, scheme, with: place, pin: pin, reason) { stage in
                switch (stage, reason) {
                // From here on it may have been refused, until the card says that it was not.
                case (.tried, .stored): refused.withLock { _ = $0.insert(mark) }
                // The user sees what becomes of it.
                case (.tried, .typed): break
                case (.accepted, _): refused.withLock { _ = $0.remove(mark) }
                }
            }
        } catch { throw error.error }
        // No wrong signature leaves the agent, whatever the card or its module did.
        guard Self.isSignature(signature, of: input, by: publicKey, scheme) else {
            throw AgentError(CardError.otherKey(place.token))
        }
        return signature
    }

    private static func isSignature(
        _ signature: [UInt8], of input: [UInt8], by key: PublicKey, _ scheme: SignatureScheme
    ) -> Bool {
        (try? key.verify(signature.span.bytes, of: input.span.bytes, with: scheme)) == true
    }

    /// Returns the hash of a PIN for a token, whichever of its keys it is for. A card may have several modules, and for each of
    /// its PINs a token with a name of its own.
    private func mark(_ place: CardKeyPlace, _ pin: borrowing SecureBytes) throws(AgentError) -> [UInt8] {
        do throws(SodiumError) {
            var hash = try KeyedHash(key)
            for part in [place.serial, place.token] { hash.add((Array(part.utf8) + [0]).span.bytes) }
            pin.withBytes { hash.add($0) }
            return hash.bytes()
        } catch { throw AgentError(.agent, "\(error)") }
    }
}
