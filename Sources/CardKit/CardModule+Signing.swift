internal import CPKCS11
package import KeyKit
package import SodiumKit

extension CardModule {
    /// The reasons to log in to a token.
    package enum Try: Hashable, Sendable {
        /// The user has typed the PIN for it.
        case typed
        /// The PIN is a stored one. It is not tried if the last one was wrong.
        case stored
    }

    /// The stages of a PIN. Some keys take it twice.
    package enum Stage: String, CaseIterable, Sendable {
        /// The token gets it next.
        case tried
        /// The token has accepted it.
        case accepted
    }

    /// Signs an input with a key on a token, which may wait for a touch. Tells `note` what becomes of the PIN. A PIN that is typed
    /// on the token itself has no stages.
    ///
    /// - Throws: ``CardError``.
    package func sign(
        _ input: [UInt8], _ scheme: SignatureScheme, with place: CardKeyPlace, pin: borrowing SecureBytes,
        _ reason: Try, note: (Stage) -> Void = { _ in }
    ) throws(CardError) -> [UInt8] {
        let (mechanism, prepared) = try Self.mechanism(scheme, input)
        let (slot, token) = try token(of: place)
        switch token.pin {
        case .none, .onToken, .needed: break
        case .neededAfterMistake: if reason == .stored { throw .mistakeBefore(token.label) }
        case .lastTry: throw .lastTry(token.label)
        case .locked: throw .locked(token.label)
        }
        return try withSession(slot) { (session) throws(CardError) in
            if token.pin != .none {
                let refusal: CardError = reason == .typed ? .wrongPIN(token.label) : .refusedStoredPIN(token.label)
                try logIn(session, UInt(CKU_USER), pin, token, refusal, note)
            }
            // A card may stay open to the next program otherwise.
            defer { if token.pin != .none { _ = functions.C_Logout(session) } }
            guard let key = try objects(session, UInt(CKO_PRIVATE_KEY), place.identifier).first else {
                throw .noKey(token.label)
            }
            var chosen = ck_mechanism(mechanism: mechanism, parameter: nil, parameter_len: 0)
            try checkPresence(functions.C_SignInit(session, &chosen, key), token)
            // Such a key wants the PIN for each signature. Some have a PIN of their own, and count the mistakes for themselves.
            if bytes(session, key, UInt(CKA_ALWAYS_AUTHENTICATE)) == [1] {
                try logIn(session, UInt(CKU_CONTEXT_SPECIFIC), pin, token, .wrongPINOfKey(token.label), note)
            }
            var data = prepared
            var signature = [UInt8](repeating: 0, count: Self.longestSignature)
            var count = UInt(signature.count)
            try checkPresence(functions.C_Sign(session, &data, UInt(data.count), &signature, &count), token)
            guard count <= UInt(signature.count) else { throw .failed(UInt(CKR_BUFFER_TOO_SMALL)) }
            signature.removeLast(signature.count - Int(count))
            return try Self.encoded(signature, scheme)
        }
    }

    /// The longest signature: RSA of 4096 bits has this length in bytes.
    private static let longestSignature = 512

    private func logIn(
        _ session: ck_session_handle_t, _ user: UInt, _ pin: borrowing SecureBytes, _ token: CardToken,
        _ refusal: CardError, _ note: (Stage) -> Void
    ) throws(CardError) {
        // To the token, none is a wrong one.
        guard token.pin == .onToken || pin.count > 0 else { throw .noPIN(token.label) }
        if token.pin != .onToken { note(.tried) }
        var result = tryPIN(session, user, pin, token)
        if result == ck_rv_t(CKR_USER_ALREADY_LOGGED_IN), user == UInt(CKU_USER) {
            // The PIN would count as right without having been tried.
            _ = functions.C_Logout(session)
            result = tryPIN(session, user, pin, token)
        }
        switch result {
        case ck_rv_t(CKR_OK): if token.pin != .onToken { note(.accepted) }
        case ck_rv_t(CKR_PIN_LOCKED): throw .locked(token.label)
        case ck_rv_t(CKR_TOKEN_NOT_PRESENT), ck_rv_t(CKR_DEVICE_REMOVED): throw .removed(token.label)
        case ck_rv_t(CKR_FUNCTION_CANCELED), ck_rv_t(CKR_CANCEL): throw .failed(UInt(result))
        // Modules differ in the error for a wrong PIN, and another try would cost one more of the few that the token permits.
        default: throw token.pin == .onToken ? .wrongPIN(token.label) : refusal
        }
    }

    private func tryPIN(
        _ session: ck_session_handle_t, _ user: UInt, _ pin: borrowing SecureBytes, _ token: CardToken
    ) -> ck_rv_t {
        if token.pin == .onToken { return functions.C_Login(session, user, nil, 0) }
        return pin.withBytes { pin in
            pin.withUnsafeBytes { pin in
                // The module declares the bytes as its own to change, and the standard forbids it to.
                let start = UnsafeMutableRawPointer(mutating: pin.baseAddress)
                return functions.C_Login(session, user, start?.assumingMemoryBound(to: UInt8.self), UInt(pin.count))
            }
        }
    }

    private func checkPresence(_ result: ck_rv_t, _ token: CardToken) throws(CardError) {
        switch result {
        case ck_rv_t(CKR_TOKEN_NOT_PRESENT), ck_rv_t(CKR_DEVICE_REMOVED): throw .removed(token.label)
        default: try check(result)
        }
    }

    /// Returns true if keys on tokens may be able to sign this way.
    package static func canSign(_ scheme: SignatureScheme) -> Bool {
        switch scheme {
        case .ecdsa(_, _, .digest), .ed25519: true
        case .rsaPKCS1(let hash, .digest): hash == .sha256 || hash == .sha384 || hash == .sha512
        case .ecdsa(_, _, .message), .rsaPKCS1(_, .message), .ecdsaOfAnyDigest, .rsaRaw, .rsaPKCS1OfAnyDigest, .rsaPSS:
            false
        }
    }

    /// Returns how a token makes a signature, and what it signs then.
    private static func mechanism(
        _ scheme: SignatureScheme, _ input: [UInt8]
    ) throws(CardError) -> (mechanism: UInt, input: [UInt8]) {
        switch scheme {
        case .ecdsa(_, let hash, .digest) where input.count == hash.digestCount: (UInt(CKM_ECDSA), input)
        case .rsaPKCS1(let hash, .digest) where input.count == hash.digestCount:
            (UInt(CKM_RSA_PKCS), try digestInfo(input, hash))
        case .ed25519: (UInt(CKM_EDDSA), input)
        default: throw .unsupportedScheme
        }
    }

    /// Returns a digest as PKCS#1 signs it: with the name of its hash function, in DER.
    private static func digestInfo(_ digest: [UInt8], _ hash: HashAlgorithm) throws(CardError) -> [UInt8] {
        let number: UInt8 =
            switch hash {
            case .sha256: 1
            case .sha384: 2
            case .sha512: 3
            default: throw .unsupportedScheme
            }
        // The name is 2.16.840.1.101.3.4.2 and this number.
        let name: [UInt8] = [0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, number]
        let algorithm = [0x30, UInt8(name.count + 2)] + name + [0x05, 0x00]
        let value = [0x04, UInt8(digest.count)] + digest
        return [0x30, UInt8(algorithm.count + value.count)] + algorithm + value
    }

    /// Returns a signature in the encoding of its scheme. A token gives ECDSA as r and s.
    private static func encoded(_ signature: [UInt8], _ scheme: SignatureScheme) throws(CardError) -> [UInt8] {
        guard case .ecdsa(.x962, _, _) = scheme else { return signature }
        guard let curve = Curve.allCases.first(where: { 2 * $0.coordinateCount == signature.count }),
            let numbers = ECDSASignature(fixed: signature, on: curve)
        else { throw .failed(UInt(CKR_GENERAL_ERROR)) }
        return numbers.der
    }
}
