internal import CardKit
internal import KeyKit
internal import SodiumKit
internal import Synchronization

/// The keys on smart cards that an agent uses, one at a time.
final class CardKeys: Sendable {
    /// The stored PINs that a card has refused, or may have, as hashes. They are not tried again: a card locks itself after a few
    /// wrong ones, and not every card says that there was one.
    private let refused = Mutex<Set<[UInt8]>>([])
    /// The key of the hashes.
    private let key: Key
    /// Held while a card works.
    private let turn = Mutex(())

    /// Throws if no guarded memory is left.
    init() throws(AgentError) {
        do throws(SodiumError) { key = try Key.random() } catch { throw AgentError(.agent, "\(error)") }
    }

    /// Returns true if keys on cards may be able to do this.
    static func canPerform(_ operation: KeyOperation) -> Bool {
        guard case .sign(_, let scheme) = operation else { return false }
        return CardModule.canSign(scheme)
    }

    /// Carries out an operation with a stored key, of which this is the public half, unless `isOver` once it has its turn.
    func perform(
        _ operation: KeyOperation, with use: consuming CardKeyUse, _ publicKey: PublicKey, unless isOver: () -> Bool
    ) throws(AgentError) -> KeyOutput {
        guard case .sign(let input, let scheme) = operation else { throw AgentError(CardError.unsupportedScheme) }
        let place = use.place
        let pin = use.pin
        let mark = try mark(place, pin)
        return try turn.withLock { (_) throws(AgentError) in
            if isOver() {
                throw AgentError(.locked, "the vault was locked meanwhile: run `latchkey unlock` in a terminal")
            }
            // From here on it may have been refused, until the card says something else.
            guard refused.withLock({ $0.insert(mark).inserted }) else {
                throw AgentError(CardError.refusedStoredPIN(place.token))
            }
            do throws(CardProcess.Failure) {
                let signature = try CardProcess.sign(input, scheme, with: place, pin: pin, .stored) { forget(mark) }
                forget(mark)
                // No wrong signature leaves the agent, whatever the card or its module did.
                guard Self.isSignature(signature, of: input, by: publicKey, scheme) else {
                    throw .said(AgentError(CardError.otherKey(place.token)))
                }
                return .signature(signature)
            } catch {
                // A PIN that is typed on the reader is another one each time.
                if pin.count == 0 { forget(mark) }
                guard case .said(let fault) = error, pin.count > 0 else { throw error.error }
                if fault.kind == .wrong { throw AgentError(CardError.refusedStoredPIN(place.token)) }
                forget(mark)
                throw fault
            }
        }
    }

    /// Returns the public half of the key at a place, once the card has signed with this PIN, which the user has typed.
    func publicKey(at place: CardKeyPlace, pin: borrowing SecureBytes) throws(AgentError) -> PublicKey {
        let mark = try mark(place, pin)
        return try turn.withLock { (_) throws(AgentError) in
            let keys = try CardProcess.keys(by: place.module)
            let ofToken = keys.filter { $0.token.serial == place.serial && $0.token.label == place.token }
            if ofToken.isEmpty { throw AgentError(CardError.noToken(place.token)) }
            guard let key = ofToken.first(where: { $0.identifier == place.identifier })?.publicKey else {
                throw AgentError(CardError.noKey(place.token))
            }
            let message = Sodium.randomBytes(SignatureAlgorithm.usual(for: key.type.family).hash?.digestCount ?? 32)
            let scheme = SignatureAlgorithm.usual(for: key.type.family).scheme(isRaw: true)
            let signature: [UInt8]
            do throws(CardProcess.Failure) {
                signature = try CardProcess.sign(message, scheme, with: place, pin: pin, .typed) { forget(mark) }
            } catch { throw error.error }
            guard Self.isSignature(signature, of: message, by: key, scheme) else {
                throw AgentError(CardError.otherKey(place.token))
            }
            return key
        }
    }

    private static func isSignature(
        _ signature: [UInt8], of input: [UInt8], by key: PublicKey, _ scheme: SignatureScheme
    ) -> Bool {
        (try? key.verify(signature.span.bytes, of: input.span.bytes, with: scheme)) == true
    }

    private func forget(_ mark: [UInt8]) { refused.withLock { _ = $0.remove(mark) } }

    /// Returns the hash of a PIN for a card, whichever of its keys it is for.
    private func mark(_ place: CardKeyPlace, _ pin: borrowing SecureBytes) throws(AgentError) -> [UInt8] {
        do throws(SodiumError) {
            var hash = try KeyedHash(key)
            for part in [place.module, place.serial, place.token] { hash.add(Array(part.utf8).span.bytes) }
            pin.withBytes { hash.add($0) }
            return hash.bytes()
        } catch { throw AgentError(.agent, "\(error)") }
    }
}
