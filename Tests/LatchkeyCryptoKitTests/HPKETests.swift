import Foundation
import LatchkeyCryptoKit
import LatchkeyTesting
import TestSupport
import Testing

/// Hybrid public key encryption, with the test vectors of RFC 9180.
@Suite struct HPKETests {
    /// A row of `Fixtures/hpke/rfc9180.tsv`.
    struct Vector: Sendable, CustomTestStringConvertible {
        let mode: Int
        let suite: HPKE.Ciphersuite
        let info: Data
        let recipient: Data
        let sender: Data?
        let sharedKey: (key: Data, identifier: Data)?
        let encapsulatedKey: Data
        let sealed: [(additional: Data, message: Data, ciphertext: Data)]
        let exported: [(context: Data, value: Data)]

        var testDescription: String { "mode \(mode), \(suite.kem), \(suite.kdf), \(suite.aead)" }

        init(_ line: Substring) throws {
            let fields = line.split(separator: "\t").map(String.init)
            try #require(fields.count == 12)
            func bytes(_ field: String) -> Data { field == "-" ? Data() : data(field) }
            func parts(_ field: String) -> [[Data]] {
                field == "-"
                    ? [] : field.split(separator: ",").map { $0.split(separator: ":").map { bytes(String($0)) } }
            }
            mode = try #require(Int(fields[0]))
            suite = HPKE.Ciphersuite(
                kem: try #require(
                    ["16": .P256_HKDF_SHA256, "18": .P521_HKDF_SHA512, "32": .Curve25519_HKDF_SHA256][fields[1]]),
                kdf: try #require(["1": .HKDF_SHA256, "3": .HKDF_SHA512][fields[2]]),
                aead: try #require(
                    ["1": .AES_GCM_128, "2": .AES_GCM_256, "3": .chaChaPoly, "65535": .exportOnly][fields[3]]))
            info = bytes(fields[4])
            recipient = bytes(fields[5])
            sender = fields[6] == "-" ? nil : bytes(fields[6])
            sharedKey = fields[7] == "-" ? nil : (bytes(fields[7]), bytes(fields[8]))
            encapsulatedKey = bytes(fields[9])
            sealed = parts(fields[10]).map { ($0[0], $0[1], $0[2]) }
            exported = parts(fields[11]).map { ($0[0], $0[1]) }
        }
    }

    static let vectors: [Vector] = {
        do {
            let file = Repository.root.appending(path: "Fixtures/hpke/rfc9180.tsv")
            return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter { !$0.hasPrefix("#") }
                .map { try Vector($0) }
        } catch { preconditionFailure("the vectors cannot be read: \(error)") }
    }()

    @Test func theVectorsHaveEveryMode() {
        #expect(Self.vectors.count == 28)
        for mode in 0...3 { #expect(Self.vectors.filter { $0.mode == mode }.count == 7) }
    }

    @Test(arguments: vectors) func aRecipientOpensThePublishedMessages(vector: Vector) throws {
        switch vector.suite.kem {
        case .P256_HKDF_SHA256: try open(vector, P256.KeyAgreement.PrivateKey(rawRepresentation: vector.recipient))
        case .P384_HKDF_SHA384: Issue.record("there are no such vectors")
        case .P521_HKDF_SHA512: try open(vector, P521.KeyAgreement.PrivateKey(rawRepresentation: vector.recipient))
        case .Curve25519_HKDF_SHA256:
            try open(vector, Curve25519.KeyAgreement.PrivateKey(rawRepresentation: vector.recipient))
        }
    }

    private func open<Key: HPKEDiffieHellmanPrivateKey>(_ vector: Vector, _ key: Key) throws {
        let sender = try vector.sender.map { try Key.PublicKey($0, kem: vector.suite.kem) }
        let shared = vector.sharedKey.map { (key: SymmetricKey(data: $0.key), identifier: $0.identifier) }
        #expect(vector.mode == (shared == nil ? 0 : 1) + (sender == nil ? 0 : 2))
        var recipient: HPKE.Recipient =
            switch (sender, shared) {
            case (nil, nil):
                try HPKE.Recipient(
                    privateKey: key, ciphersuite: vector.suite, info: vector.info,
                    encapsulatedKey: vector.encapsulatedKey)
            case (nil, let shared?):
                try HPKE.Recipient(
                    privateKey: key, ciphersuite: vector.suite, info: vector.info,
                    encapsulatedKey: vector.encapsulatedKey, presharedKey: shared.key,
                    presharedKeyIdentifier: shared.identifier)
            case (let sender?, nil):
                try HPKE.Recipient(
                    privateKey: key, ciphersuite: vector.suite, info: vector.info,
                    encapsulatedKey: vector.encapsulatedKey, authenticatedBy: sender)
            case (let sender?, let shared?):
                try HPKE.Recipient(
                    privateKey: key, ciphersuite: vector.suite, info: vector.info,
                    encapsulatedKey: vector.encapsulatedKey, authenticatedBy: sender, presharedKey: shared.key,
                    presharedKeyIdentifier: shared.identifier)
            }
        #expect(vector.exported.count == 3)
        for (context, value) in vector.exported {
            #expect(
                try recipient.exportSecret(context: context, outputByteCount: value.count) == SymmetricKey(data: value))
        }
        #expect(vector.sealed.count == (vector.suite.aead == .exportOnly ? 0 : 3))
        for (additional, message, ciphertext) in vector.sealed {
            // One that was changed does not count.
            #expect(throws: CryptoKitError.authenticationFailure) {
                try recipient.open(ciphertext, authenticating: additional + [0])
            }
            #expect(try recipient.open(Pieces(ciphertext), authenticating: Pieces(additional)) == message)
        }
        if vector.suite.aead == .exportOnly {
            #expect(throws: HPKE.Errors.exportOnlyMode) { try recipient.open(Data(count: 40)) }
        }
    }

    /// Sends messages in all four modes, with every suite for a type of keys.
    private func exchange<Key: HPKEDiffieHellmanPrivateKeyGeneration>(_ type: Key.Type, _ kem: HPKE.KEM) throws {
        let (key, sending, other) = (Key(), Key(), Key())
        let info = Data("a purpose".utf8)
        let (shared, name) = (SymmetricKey(size: .bits256), Data("its name".utf8))
        for kdf in HPKE.KDF.allCases {
            for aead in HPKE.AEAD.allCases where aead != .exportOnly {
                let suite = HPKE.Ciphersuite(kem: kem, kdf: kdf, aead: aead)
                let senders = [
                    try HPKE.Sender(recipientKey: key.publicKey, ciphersuite: suite, info: info),
                    try HPKE.Sender(
                        recipientKey: key.publicKey, ciphersuite: suite, info: info, presharedKey: shared,
                        presharedKeyIdentifier: name),
                    try HPKE.Sender(
                        recipientKey: key.publicKey, ciphersuite: suite, info: info, authenticatedBy: sending),
                    try HPKE.Sender(
                        recipientKey: key.publicKey, ciphersuite: suite, info: info, authenticatedBy: sending,
                        presharedKey: shared, presharedKeyIdentifier: name),
                ]
                func recipients(_ enc: Data, _ key: Key) throws -> [HPKE.Recipient] {
                    [
                        try HPKE.Recipient(privateKey: key, ciphersuite: suite, info: info, encapsulatedKey: enc),
                        try HPKE.Recipient(
                            privateKey: key, ciphersuite: suite, info: info, encapsulatedKey: enc, presharedKey: shared,
                            presharedKeyIdentifier: name),
                        try HPKE.Recipient(
                            privateKey: key, ciphersuite: suite, info: info, encapsulatedKey: enc,
                            authenticatedBy: sending.publicKey),
                        try HPKE.Recipient(
                            privateKey: key, ciphersuite: suite, info: info, encapsulatedKey: enc,
                            authenticatedBy: sending.publicKey, presharedKey: shared, presharedKeyIdentifier: name),
                    ]
                }
                for (mode, sender) in senders.enumerated() {
                    var sender = sender
                    let messages = (0..<3).map { Data("message \($0)".utf8) }
                    let sealed = try messages.map { try sender.seal($0, authenticating: Data("with this".utf8)) }
                    #expect(Set(sealed).count == 3)
                    // Only the recipient of the same mode and key opens them, in their order.
                    for (tried, recipient) in try recipients(sender.encapsulatedKey, key).enumerated() {
                        var recipient = recipient
                        if tried == mode {
                            #expect(throws: CryptoKitError.authenticationFailure) {
                                try recipient.open(sealed[1], authenticating: Data("with this".utf8))
                            }
                            for (message, ciphertext) in zip(messages, sealed) {
                                #expect(
                                    try recipient.open(ciphertext, authenticating: Data("with this".utf8)) == message)
                            }
                            let secrets = try [
                                sender.exportSecret(context: Data([1]), outputByteCount: 50),
                                recipient.exportSecret(context: Data([1]), outputByteCount: 50),
                                recipient.exportSecret(context: Data([2]), outputByteCount: 50),
                            ]
                            #expect(secrets[0] == secrets[1] && secrets[0] != secrets[2])
                        } else {
                            #expect(throws: CryptoKitError.authenticationFailure) {
                                try recipient.open(sealed[0], authenticating: Data("with this".utf8))
                            }
                        }
                    }
                    var stranger = try recipients(sender.encapsulatedKey, other)[mode]
                    #expect(throws: CryptoKitError.authenticationFailure) {
                        try stranger.open(sealed[0], authenticating: Data("with this".utf8))
                    }
                }
            }
        }
    }

    @Test func everySuiteAndModeReachesItsRecipientAlone() throws {
        try exchange(P256.KeyAgreement.PrivateKey.self, .P256_HKDF_SHA256)
        try exchange(P384.KeyAgreement.PrivateKey.self, .P384_HKDF_SHA384)
        try exchange(P521.KeyAgreement.PrivateKey.self, .P521_HKDF_SHA512)
        try exchange(Curve25519.KeyAgreement.PrivateKey.self, .Curve25519_HKDF_SHA256)
    }

    @Test func theNamedSuitesAreTheirAlgorithms() {
        #expect(
            [
                HPKE.Ciphersuite.P256_SHA256_AES_GCM_256, .P384_SHA384_AES_GCM_256, .P521_SHA512_AES_GCM_256,
                .Curve25519_SHA256_ChachaPoly,
            ] == [
                HPKE.Ciphersuite(kem: .P256_HKDF_SHA256, kdf: .HKDF_SHA256, aead: .AES_GCM_256),
                HPKE.Ciphersuite(kem: .P384_HKDF_SHA384, kdf: .HKDF_SHA384, aead: .AES_GCM_256),
                HPKE.Ciphersuite(kem: .P521_HKDF_SHA512, kdf: .HKDF_SHA512, aead: .AES_GCM_256),
                HPKE.Ciphersuite(kem: .Curve25519_HKDF_SHA256, kdf: .HKDF_SHA256, aead: .chaChaPoly),
            ])
    }

    @Test func theSuiteHasToFitTheKey() throws {
        let key = P256.KeyAgreement.PrivateKey()
        let suite = HPKE.Ciphersuite.Curve25519_SHA256_ChachaPoly
        #expect(throws: HPKE.Errors.inconsistentCiphersuiteAndKey) {
            try HPKE.Sender(recipientKey: key.publicKey, ciphersuite: suite, info: Data())
        }
        #expect(throws: HPKE.Errors.inconsistentCiphersuiteAndKey) {
            try HPKE.Recipient(privateKey: key, ciphersuite: suite, info: Data(), encapsulatedKey: Data(count: 32))
        }
        for count in [0, 64, 66] {
            #expect(throws: CryptoKitError.self) {
                try HPKE.Recipient(
                    privateKey: key, ciphersuite: .P256_SHA256_AES_GCM_256, info: Data(),
                    encapsulatedKey: Data(count: count))
            }
        }
        // A point that makes the secret predictable is refused.
        #expect(throws: CryptoKitError.invalidParameter) {
            try HPKE.Recipient(
                privateKey: Curve25519.KeyAgreement.PrivateKey(), ciphersuite: suite, info: Data(),
                encapsulatedKey: Data(count: 32))
        }
    }

    @Test func tooLongOnesAreRefused() throws {
        let key = Curve25519.KeyAgreement.PrivateKey()
        var sender = try HPKE.Sender(
            recipientKey: key.publicKey, ciphersuite: .Curve25519_SHA256_ChachaPoly, info: Data(count: 1 << 20))
        let sealed = try sender.seal(Data())
        #expect(sealed.count == 16)
        for count in [255 * 32 + 1, 1 << 16, -1] {
            #expect(throws: CryptoKitError.incorrectParameterSize) {
                try sender.exportSecret(context: Data(), outputByteCount: count)
            }
        }
        #expect(try sender.exportSecret(context: Data(), outputByteCount: 255 * 32).bitCount == 255 * 32 * 8)
        #expect(throws: CryptoKitError.incorrectParameterSize) {
            try sender.exportSecret(context: Data(count: 32 << 10), outputByteCount: 32)
        }
        var recipient = try HPKE.Recipient(
            privateKey: key, ciphersuite: .Curve25519_SHA256_ChachaPoly, info: Data(count: 1 << 20),
            encapsulatedKey: sender.encapsulatedKey)
        #expect(throws: HPKE.Errors.ciphertextTooShort) { try recipient.open(sealed.dropLast()) }
        #expect(try recipient.open(sealed).isEmpty)
    }

    /// Messages for a key of the enclave need its prompt.
    @Test func aKeyOfTheEnclaveOpensMessages() throws {
        let device = SimulatedDevice()
        try device.run {
            let access = try #require(
                SecAccessControlCreateWithFlags(
                    nil, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, [.privateKeyUsage, .biometryAny], nil))
            let key = try SecureEnclave.P256.KeyAgreement.PrivateKey(accessControl: access)
            let suite = HPKE.Ciphersuite.P256_SHA256_AES_GCM_256
            var sender = try HPKE.Sender(recipientKey: key.publicKey, ciphersuite: suite, info: Data())
            let sealed = try sender.seal(Data("a message".utf8))
            #expect(device.prompts.isEmpty)
            var recipient = try HPKE.Recipient(
                privateKey: key, ciphersuite: suite, info: Data(), encapsulatedKey: sender.encapsulatedKey)
            #expect(device.prompts.count == 1)
            #expect(try recipient.open(sealed) == Data("a message".utf8))
        }
    }

    /// No prompt is shown for keys that do not fit the suite, whichever side owns the key of the enclave.
    @Test func aSuiteForOtherKeysShowsNoPrompt() throws {
        let device = SimulatedDevice()
        try device.run {
            let access = try #require(
                SecAccessControlCreateWithFlags(
                    nil, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, [.privateKeyUsage, .biometryAny], nil))
            let key = try SecureEnclave.P256.KeyAgreement.PrivateKey(accessControl: access)
            let other = P256.KeyAgreement.PrivateKey().publicKey
            for suite in [HPKE.Ciphersuite.Curve25519_SHA256_ChachaPoly, .P384_SHA384_AES_GCM_256] {
                #expect(throws: HPKE.Errors.inconsistentCiphersuiteAndKey) {
                    try HPKE.Sender(recipientKey: other, ciphersuite: suite, info: Data(), authenticatedBy: key)
                }
                #expect(throws: HPKE.Errors.inconsistentCiphersuiteAndKey) {
                    try HPKE.Recipient(
                        privateKey: key, ciphersuite: suite, info: Data(), encapsulatedKey: other.x963Representation,
                        authenticatedBy: other)
                }
            }
            #expect(device.prompts.isEmpty)
            _ = try HPKE.Sender(
                recipientKey: other, ciphersuite: .P256_SHA256_AES_GCM_256, info: Data(), authenticatedBy: key)
            #expect(device.prompts.count == 1)
        }
    }
}
