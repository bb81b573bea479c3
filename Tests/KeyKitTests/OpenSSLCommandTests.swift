import Foundation
import KeyKit
import SodiumKit
import TestSupport
import Testing

/// Every scheme that `openssl pkeyutl` has, in both directions, and every file format that `openssl pkey` writes.
@Suite(.enabled(if: OpenSSLCommand.isThere, "skipped: needs the Debian package openssl"))
struct OpenSSLCommandTests {
    private let openssl: OpenSSLCommand

    init() throws { openssl = try OpenSSLCommand() }

    @Test(arguments: [KeyType.ec(.p256), .ec(.p384), .ec(.p521), .rsa(bits: 2048), .rsa(bits: 3072), .ed25519])
    func signaturesAreValidInBothDirections(type: KeyType) throws {
        let key = try SampleKeys.shared.key(type)
        try openssl.write(key)
        for tested in SigningCase.all where tested.type == type {
            guard let options = tested.scheme.options else { continue }
            let input = tested.input
            try openssl.write(input, "input")
            let signature = try key.sign(input, with: tested.scheme)
            try openssl.write(signature, "signature")
            let verify = ["-verify", "-pubin", "-inkey", "public.pem", "-in", "input", "-sigfile", "signature"]
            #expect(try openssl.run(["pkeyutl"] + verify + options).status == 0, "\(tested.testDescription)")
            let sign = ["-sign", "-inkey", "private.pem", "-in", "input", "-out", "theirs"]
            #expect(try openssl.run(["pkeyutl"] + sign + options).status == 0, "\(tested.testDescription)")
            #expect(
                try key.publicKey.verify(openssl.read("theirs"), of: input, with: tested.scheme),
                "\(tested.testDescription)")
        }
    }

    @Test(arguments: [KeyType.rsa(bits: 2048), .rsa(bits: 3072)])
    func boxesOpenInBothDirections(type: KeyType) throws {
        let key = try SampleKeys.shared.key(type)
        try openssl.write(key)
        for tested in EncryptionCase.all where tested.type == type {
            guard let options = tested.scheme.options else { continue }
            // The bare operation of the command takes whole blocks.
            let message = tested.scheme == .rsaRaw ? [0] + counting(type.blockCount - 1) : counting(30)
            try openssl.write(message, "message")
            try openssl.write(key.publicKey.encrypt(message, with: tested.scheme), "box")
            let decrypt = ["-decrypt", "-inkey", "private.pem", "-in", "box", "-out", "opened"]
            #expect(try openssl.run(["pkeyutl"] + decrypt + options).status == 0, "\(tested.testDescription)")
            #expect(try openssl.read("opened") == message)
            let encrypt = ["-encrypt", "-pubin", "-inkey", "public.pem", "-in", "message", "-out", "theirs"]
            #expect(try openssl.run(["pkeyutl"] + encrypt + options).status == 0, "\(tested.testDescription)")
            #expect(try key.decrypt(openssl.read("theirs"), with: tested.scheme) == message)
        }
    }

    @Test(arguments: Curve.allCases) func theCommandAgreesOnTheSameSecret(curve: Curve) throws {
        let key = try SampleKeys.shared.key(.ec(curve))
        let other = try PrivateKey.generate(.ec(curve)).publicKey
        try openssl.write(key)
        try openssl.write(Array(other.pem().utf8), "peer.pem")
        let derive = ["-derive", "-inkey", "private.pem", "-peerkey", "peer.pem", "-out", "secret"]
        #expect(try openssl.run(["pkeyutl"] + derive).status == 0)
        #expect(try openssl.read("secret") == (try key.sharedSecret(with: other).array()))
    }

    /// The command reads what we export, and we read what it generates and converts.
    @Test(arguments: [KeyType.ec(.p256), .ec(.p384), .ec(.p521), .rsa(bits: 2048)])
    func filesGoInBothDirections(type: KeyType) throws {
        let key = try SampleKeys.shared.key(type)
        for format in PrivateKeyFormat.allCases {
            try openssl.write(key.pem(format).array(), "private.pem")
            #expect(try openssl.run(["pkey", "-check", "-in", "private.pem", "-noout"]).status == 0)
            let conversions = [
                ("pkcs8", ["pkcs8", "-topk8", "-nocrypt"]), ("traditional", ["pkey", "-traditional"]),
            ]
            for (name, words) in conversions {
                for form in ["DER", "PEM"] {
                    let files = ["-in", "private.pem", "-outform", form, "-out", "\(name).\(form)"]
                    #expect(try openssl.run(words + files).status == 0)
                }
                #expect(try PrivateKey(der: secure(openssl.read("\(name).DER"))).array() == key.array())
                #expect(try PrivateKey(pem: secure(openssl.read("\(name).PEM"))).array() == key.array())
            }
            #expect(
                try openssl.run(["pkey", "-in", "private.pem", "-pubout", "-outform", "DER", "-out", "public"]).status
                    == 0)
            #expect(try openssl.read("public") == key.publicKey.subjectPublicKeyInfo)
            // The same bytes come out on both sides.
            #expect(try openssl.read("pkcs8.DER") == (try key.der(.pkcs8).array()))
            #expect(try openssl.read("traditional.DER") == (try key.der(.traditional).array()))
        }
        let generate =
            switch type {
            case .ec(let curve):
                ["ecparam", "-genkey", "-name", curve == .p256 ? "prime256v1" : "secp\(curve.bits)r1"]
            case .rsa(let bits): ["genrsa", "-out", "made", String(bits)]
            case .ed25519: ["genpkey", "-algorithm", "ed25519", "-out", "made"]
            }
        #expect(try openssl.run(type.family == .ec ? generate + ["-out", "made"] : generate).status == 0)
        #expect(try PrivateKey(pem: secure(openssl.read("made"))).type == type)
        let encrypt = ["-aes256", "-passout", "pass:word", "-in", "made", "-out", "encrypted"]
        for options in [[], ["-traditional"]] {
            #expect(try openssl.run(["pkey"] + encrypt + options).status == 0)
            #expect(throws: KeyError.encryptedKey) { try PrivateKey(pem: secure(openssl.read("encrypted"))).type }
        }
    }
}

/// `openssl` in a folder of its own.
struct OpenSSLCommand {
    private static let binary = URL(filePath: "/usr/bin/openssl")
    private let folder: TemporaryFolder

    /// True if the command is installed.
    static let isThere = FileManager.default.isExecutableFile(atPath: binary.path)

    init() throws { folder = try TemporaryFolder(inMemory: true) }

    /// Runs the command in the folder.
    func run(_ arguments: [String]) throws -> Command.Run {
        let words = ["-c", "cd \"$1\" && shift && exec openssl \"$@\"", "sh", folder.url.path] + arguments
        return try Command.run(words, program: URL(filePath: "/bin/sh"))
    }

    /// Writes both halves of a key.
    func write(_ key: borrowing PrivateKey) throws {
        try write(key.pem().array(), "private.pem")
        try write(Array(key.publicKey.pem().utf8), "public.pem")
    }

    /// Writes a file.
    func write(_ bytes: [UInt8], _ name: String) throws {
        try Data(bytes).write(to: folder.url.appending(path: name))
    }

    /// Reads a file.
    func read(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: folder.url.appending(path: name))) }
}

extension SignatureScheme {
    /// The options of `openssl pkeyutl`; nil if it does not have the scheme.
    fileprivate var options: [String]? {
        switch self {
        case .ecdsa(.rfc4754, _, _), .ecdsaOfAnyDigest(.rfc4754): nil
        case .ecdsa(.x962, let hash, let input):
            input == .message ? ["-rawin", "-digest", hash.word] : ["-pkeyopt", "digest:\(hash.word)"]
        case .ecdsaOfAnyDigest(.x962): []
        case .rsaRaw: nil  // The command takes whole blocks only, and a sample is shorter.
        case .rsaPKCS1(let hash, let input):
            input == .message ? ["-rawin", "-digest", hash.word] : ["-pkeyopt", "digest:\(hash.word)"]
        case .rsaPKCS1OfAnyDigest: ["-pkeyopt", "rsa_padding_mode:pkcs1"]
        case .rsaPSS(let hash, let input):
            (input == .message ? ["-rawin", "-digest", hash.word] : ["-pkeyopt", "digest:\(hash.word)"]) + [
                "-pkeyopt", "rsa_padding_mode:pss", "-pkeyopt", "rsa_pss_saltlen:digest", "-pkeyopt",
                "rsa_mgf1_md:\(hash.word)",
            ]
        case .ed25519: ["-rawin"]
        }
    }
}

extension EncryptionScheme {
    /// The options of `openssl pkeyutl`; nil if it does not have the scheme.
    fileprivate var options: [String]? {
        switch self {
        case .ecies, .rsaOAEPAESGCM: nil
        case .rsaRaw: ["-pkeyopt", "rsa_padding_mode:none"]
        case .rsaPKCS1: ["-pkeyopt", "rsa_padding_mode:pkcs1"]
        case .rsaOAEP(let hash):
            [
                "-pkeyopt", "rsa_padding_mode:oaep", "-pkeyopt", "rsa_oaep_md:\(hash.word)", "-pkeyopt",
                "rsa_mgf1_md:\(hash.word)",
            ]
        }
    }
}
