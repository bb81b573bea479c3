import KeyKit
import SodiumKit
import Testing

/// Encryption for every type of key in every scheme.
@Suite struct EncryptionTests {
    private static let parameters = EncryptionParameters(
        sharedInfo: counting(9), additionalData: counting(20, from: 50))

    @Test func thereIsACaseForEachOfTheSchemes() {
        #expect(EncryptionScheme.all.count == 2 + 5 * 2 * 2 + 5 * 2)
        #expect(Set(EncryptionScheme.all).count == EncryptionScheme.all.count)
        #expect(EncryptionCase.all.count == 3 * 20 + 3 * 12)
    }

    /// Returns the lengths of messages to try, each of which the scheme encrypts.
    private func counts(_ tested: EncryptionCase) -> [Int] {
        switch tested.scheme {
        case .rsaRaw: [tested.type.blockCount - 1]
        case .rsaPKCS1, .rsaOAEP: [0, 1, 16, tested.scheme.longestMessage(for: tested.type) ?? 0]
        case .ecies, .rsaOAEPAESGCM: [0, 1, 15, 16, 17, 1000, 70_000]
        }
    }

    @Test(arguments: EncryptionCase.all) func whatIsEncryptedDecrypts(with tested: EncryptionCase) throws {
        let key = try SampleKeys.shared.key(tested.type)
        for count in counts(tested) {
            let message = counting(count, from: 1)
            let box = try key.publicKey.encrypt(message, with: tested.scheme)
            let decrypted = try key.decrypt(box, with: tested.scheme)
            switch tested.scheme {
            case .rsaRaw: #expect(decrypted == [0] + message)
            case .ecies:
                #expect(decrypted == message)
                #expect(box.count == 2 * tested.type.blockCount + 1 + count + 16)
            case .rsaPKCS1, .rsaOAEP:
                #expect(decrypted == message)
                #expect(box.count == tested.type.blockCount)
            case .rsaOAEPAESGCM:
                #expect(decrypted == message)
                #expect(box.count == tested.type.blockCount + count + 16)
            }
        }
    }

    @Test(arguments: EncryptionCase.all) func aChangedBoxDoesNotDecrypt(with tested: EncryptionCase) throws {
        let key = try SampleKeys.shared.key(tested.type)
        let message = counting(tested.scheme == .rsaRaw ? tested.type.blockCount - 1 : 20, from: 1)
        let box = try key.publicKey.encrypt(message, with: tested.scheme)
        for changed in [[], [0], Array(box.dropLast()), Array(box.dropFirst()), counting(16), counting(65)] {
            #expect(throws: KeyError.cannotDecrypt, "\(changed.count) bytes") {
                try key.decrypt(changed, with: tested.scheme)
            }
        }
        // The paddings that protect nothing can turn one message into another.
        guard tested.scheme != .rsaRaw, tested.scheme != .rsaPKCS1 else { return }
        for place in Set([0, 1, tested.type.blockCount - 1, tested.type.blockCount, box.count - 17, box.count - 1]) {
            guard box.indices.contains(place) else { continue }
            var changed = box
            changed[place] ^= 1
            #expect(throws: KeyError.cannotDecrypt, "byte \(place)") { try key.decrypt(changed, with: tested.scheme) }
        }
    }

    @Test(arguments: EncryptionCase.all) func anotherKeyOrSchemeDoesNotDecrypt(with tested: EncryptionCase) throws {
        guard tested.scheme != .rsaRaw, tested.scheme != .rsaPKCS1, tested.type.bits < 3072 else { return }
        let key = try SampleKeys.shared.key(tested.type)
        let message = counting(20)
        let box = try key.publicKey.encrypt(message, with: tested.scheme, Self.parameters)
        #expect(try key.decrypt(box, with: tested.scheme, Self.parameters) == message)
        for scheme in EncryptionScheme.all where scheme.family == tested.type.family && scheme != tested.scheme {
            // The padding of PKCS#1 protects nothing: one box in 65,536 of another scheme seems to have it.
            if scheme == .rsaRaw || scheme == .rsaPKCS1 { continue }
            if case .ecies(_, let hash, let vector) = scheme, case .ecies(_, hash, vector) = tested.scheme {
                // On a curve with cofactor one, the two forms of agreement are one.
                #expect(try key.decrypt(box, with: scheme, Self.parameters) == message)
            } else {
                #expect(throws: KeyError.cannotDecrypt, "\(scheme)") {
                    try key.decrypt(box, with: scheme, Self.parameters)
                }
            }
        }
        guard tested.type.family == .ec else { return }
        let other = try PrivateKey.generate(tested.type)
        #expect(throws: KeyError.cannotDecrypt) { try other.decrypt(box, with: tested.scheme, Self.parameters) }
    }

    @Test func theParametersHaveToBeTheSame() throws {
        for curve in Curve.allCases {
            let key = try SampleKeys.shared.key(.ec(curve))
            let scheme = EncryptionScheme.ecies(.standard, .sha256, .derived)
            for keyCount in [16, 24, 32] {
                var parameters = Self.parameters
                parameters.keyCount = keyCount
                let box = try key.publicKey.encrypt(counting(5), with: scheme, parameters)
                #expect(try key.decrypt(box, with: scheme, parameters) == counting(5))
                var wrong = [parameters, parameters, parameters]
                wrong[0].sharedInfo[0] ^= 1
                wrong[1].additionalData.removeLast()
                wrong[2].keyCount = keyCount == 16 ? 32 : 16
                for parameters in wrong {
                    #expect(throws: KeyError.cannotDecrypt) { try key.decrypt(box, with: scheme, parameters) }
                }
                // The curve determines the size of the key.
                parameters.keyCount = nil
                let isDefault = keyCount == (curve == .p256 ? 16 : 32)
                #expect((try? key.decrypt(box, with: scheme, parameters)) == (isDefault ? counting(5) : nil))
            }
            for keyCount in [-1, 0, 1, 15, 17, 33, .max] {
                let parameters = EncryptionParameters(keyCount: keyCount)
                #expect(throws: KeyError.invalidSize(keyCount)) {
                    try key.publicKey.encrypt([], with: scheme, parameters)
                }
                #expect(throws: KeyError.invalidSize(keyCount)) {
                    try key.decrypt(counting(200), with: scheme, parameters)
                }
            }
        }
    }

    @Test func aKeyOfTheOtherFamilyDoesNotEncrypt() throws {
        for type in KeyType.generatedTypes {
            let key = try SampleKeys.shared.key(type)
            for scheme in EncryptionScheme.all where scheme.family != type.family {
                #expect(throws: KeyError.unsupportedScheme(type)) { try key.publicKey.encrypt([1], with: scheme) }
                #expect(throws: KeyError.unsupportedScheme(type)) { try key.decrypt([1], with: scheme) }
            }
        }
    }

    @Test(arguments: EncryptionCase.all.filter { $0.type.family == .rsa })
    func aMessageThatIsTooLongIsRefused(with tested: EncryptionCase) throws {
        guard let limit = tested.scheme.longestMessage(for: tested.type) else { return }
        let key = try SampleKeys.shared.key(tested.type).publicKey
        #expect(throws: KeyError.inputTooLong(limit: limit)) {
            try key.encrypt(counting(limit + 1), with: tested.scheme)
        }
        if tested.scheme == .rsaRaw {
            #expect(throws: KeyError.inputOutOfRange) {
                try key.encrypt([UInt8](repeating: 255, count: limit), with: .rsaRaw)
            }
            #expect(throws: KeyError.inputOutOfRange) { try key.encrypt([], with: .rsaRaw) }
        }
    }
}

/// Agreement on a shared secret.
@Suite struct KeyAgreementTests {
    @Test(arguments: Curve.allCases) func bothSidesAgree(on curve: Curve) throws {
        for _ in 0..<10 {
            let one = try PrivateKey.generate(.ec(curve))
            let other = try PrivateKey.generate(.ec(curve))
            let plain = try one.sharedSecret(with: other.publicKey).array()
            #expect(try other.sharedSecret(with: one.publicKey).array() == plain)
            #expect(plain.count == curve.coordinateCount)
            for hash in HashAlgorithm.allCases {
                let info = counting(10)
                for count in [1, 20, 32, 100, 5000] {
                    let derived = try one.sharedSecret(
                        with: other.publicKey, derivedWith: hash, count: count, sharedInfo: info.span.bytes)
                    #expect(derived.array() == (try x963(plain, info, hash, count)))
                }
            }
        }
    }

    /// The definition of the key derivation: digests of the secret, a counter and the shared information.
    private func x963(_ secret: [UInt8], _ info: [UInt8], _ hash: HashAlgorithm, _ count: Int) throws -> [UInt8] {
        var result: [UInt8] = []
        var counter: UInt32 = 1
        while result.count < count {
            let block = secret + withUnsafeBytes(of: counter.bigEndian) { Array($0) } + info
            result += try hash.digest(of: block.span.bytes)
            counter += 1
        }
        return Array(result.prefix(count))
    }

    @Test func keysOfDifferentTypesDoNotAgree() throws {
        let key = try PrivateKey.generate(.ec(.p256))
        let other = try PrivateKey.generate(.ec(.p384))
        let rsa = try SampleKeys.shared.key(.rsa(bits: 2048))
        #expect(throws: KeyError.differentCurves) { try key.sharedSecret(with: other.publicKey).count }
        #expect(throws: KeyError.unsupportedScheme(.rsa(bits: 2048))) {
            try key.sharedSecret(with: rsa.publicKey).count
        }
        #expect(throws: KeyError.unsupportedScheme(.rsa(bits: 2048))) {
            try rsa.sharedSecret(with: key.publicKey).count
        }
    }

    @Test func impossibleSizesAreRefused() throws {
        let key = try PrivateKey.generate(.ec(.p256))
        for count in [.min, -1, 0, PrivateKey.longestSharedSecret + 1, .max] {
            #expect(throws: KeyError.invalidSize(count)) {
                try key.sharedSecret(with: key.publicKey, derivedWith: .sha256, count: count).count
            }
        }
    }
}
