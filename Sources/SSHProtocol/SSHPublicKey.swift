package import KeyKit
internal import SodiumKit

/// A public key as SSH has it: its type, and the numbers of the key.
package struct SSHPublicKey: Hashable, Sendable {
    /// The bytes that SSH sends.
    package let blob: [UInt8]
    package let key: PublicKey
    /// True if the blob is a certificate, of which `key` is the subject.
    package let isCertificate: Bool

    static let certificateMark = "-cert-v01@openssh.com"

    /// Creates the plain form of a key.
    package init(_ key: PublicKey) {
        self.key = key
        isCertificate = false
        var writer = SSHWriter()
        writer.string(Self.name(of: key.type))
        switch key.type {
        case .ec(let curve):
            writer.string(Self.name(of: curve))
            writer.string(key.externalRepresentation)
        case .rsa:
            let numbers = key.modulusAndExponent
            writer.positive(numbers?.exponent ?? [])
            writer.positive(numbers?.modulus ?? [])
        case .ed25519: writer.string(key.externalRepresentation)
        }
        blob = writer.bytes
    }

    /// Reads and checks a key, or a certificate on one. Returns nil if it is none of a type that KeyKit supports.
    package init?(blob: [UInt8]) {
        // The largest certificate of OpenSSH is far smaller.
        guard blob.count <= 1 << 16 else { return nil }
        var reader = SSHReader(blob)
        guard var name = reader.text() else { return nil }
        let isCertificate = name.hasSuffix(Self.certificateMark)
        if isCertificate {
            name.removeLast(Self.certificateMark.count)
            guard reader.string() != nil else { return nil }  // the nonce
        }
        guard let key = Self.key(name, &reader), isCertificate || reader.isAtEnd else { return nil }
        self.key = key
        self.blob = blob
        self.isCertificate = isCertificate
    }

    private static func key(_ name: String, _ reader: inout SSHReader) -> PublicKey? {
        switch name {
        case "ssh-ed25519":
            guard let bytes = reader.string() else { return nil }
            return try? PublicKey(externalRepresentation: bytes.span.bytes, .ed25519)
        case "ssh-rsa":
            guard let exponent = reader.positive(), let modulus = reader.positive(), !exponent.isEmpty, !modulus.isEmpty
            else { return nil }
            return try? PublicKey(modulus: modulus, exponent: exponent)
        default:
            guard let curve = Curve.allCases.first(where: { Self.name(of: .ec($0)) == name }),
                reader.text() == Self.name(of: curve), let point = reader.string()
            else { return nil }
            guard let key = try? PublicKey(externalRepresentation: point.span.bytes, .ec), key.type == .ec(curve) else {
                return nil
            }
            return key
        }
    }

    private static func name(of type: KeyType) -> String {
        switch type {
        case .ec(let curve): "ecdsa-sha2-" + name(of: curve)
        case .rsa: "ssh-rsa"
        case .ed25519: "ssh-ed25519"
        }
    }

    private static func name(of curve: Curve) -> String {
        switch curve {
        case .p256: "nistp256"
        case .p384: "nistp384"
        case .p521: "nistp521"
        }
    }

    /// The name of the type, such as ssh-ed25519.
    package var typeName: String { Self.name(of: key.type) }

    /// The key without a certificate.
    package var plain: SSHPublicKey { isCertificate ? SSHPublicKey(key) : self }

    /// The fingerprint as OpenSSH shows it: SHA256, and 43 characters.
    package var fingerprint: String {
        let digest = (try? HashAlgorithm.sha256.digest(of: blob.span.bytes)) ?? []
        return "SHA256:" + Base64.text(digest).prefix { $0 != "=" }
    }

    /// The line for a file of public keys.
    package func line(comment: String) -> String {
        "\(typeName) \(Base64.text(blob))" + (comment.isEmpty ? "" : " \(comment)")
    }
}

/// Base64 of bytes that are no secret.
package enum Base64: Sendable {
    private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    package static func text(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let number = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for place in 0..<4 {
                text.append(place > group.count ? UInt8(ascii: "=") : letters[number >> (18 - 6 * place) & 63])
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the bytes that a text in base64 stands for; nil if it is none.
    package static func bytes(_ text: String) -> [UInt8]? {
        guard let bytes = try? SecureBytes.decoding(base64: text.utf8Span.span.bytes) else { return nil }
        return bytes.withBytes { $0.withUnsafeBytes { Array($0) } }
    }
}
