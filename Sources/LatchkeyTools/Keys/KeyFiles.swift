internal import AgentProtocol
internal import CommandLineKit
internal import Glibc
internal import KeyKit
internal import LatchkeyCLI
internal import LinuxSystem
internal import SodiumKit

/// The files that commands on keys read and write.
enum KeyFiles {
    /// The operand of a file that may be left out, or be -, for standard input.
    static func operand(says: String) -> Operand {
        Operand(name: "FILE", says: says, values: .file, isOptional: true, takesAnyBytes: true)
    }

    static let base64 = Option("--base64", says: "write it in base64, as on a terminal")

    private static let part = 1 << 16

    /// Opens a file, or standard input if `path` is nil or -, and closes it after `body`.
    static func open<Result: ~Copyable>(
        _ path: RawText?, _ body: (_ file: Int32, _ name: String) throws -> Result
    ) throws -> Result {
        guard let path, path.bytes != [UInt8(ascii: "-")] else { return try body(STDIN_FILENO, "standard input") }
        let file = path.withCString { Glibc.open($0, O_RDONLY | O_CLOEXEC) }
        guard file >= 0 else { throw AgentError(.request, "\(path.text): \(SystemError.last)") }
        defer { close(file) }
        return try body(file, path.text)
    }

    /// Returns the whole content of a file, in guarded memory.
    static func secret(_ path: RawText?) throws -> SecureBytes {
        try open(path) { file, name in try SecretInput.read(file, called: name) }
    }

    /// Returns the whole content of a file that is no secret.
    static func bytes(_ path: RawText?) throws -> [UInt8] {
        try secret(path).withBytes { $0.withUnsafeBytes { Array($0) } }
    }

    /// Returns the digest of a file of any length.
    static func digest(of path: RawText?, _ hash: HashAlgorithm) throws -> [UInt8] {
        try open(path) { file, name in
            var digest = try RunningDigest(.standard(hash))
            var buffer = [UInt8](repeating: 0, count: part)
            while true {
                let count = read(file, &buffer, part)
                if count < 0 && errno == EINTR { continue }
                if count < 0 { throw AgentError(.request, "\(name): \(SystemError.last)") }
                if count == 0 { return try digest.finish() }
                try digest.add(buffer.span.extracting(first: count).bytes)
            }
        }
    }

    /// Writes bytes that are no secret to standard output: in base64 if it is a terminal or `inBase64` is true.
    static func write(_ bytes: [UInt8], inBase64: Bool) throws {
        if inBase64 || isatty(STDOUT_FILENO) == 1 {
            try Output.put((SecureBytes(copying: bytes.span.bytes).base64(.standard).string() ?? "") + "\n")
        } else {
            guard bytes.withUnsafeBytes({ Descriptors.write($0, to: STDOUT_FILENO) }) else {
                throw OutputError(code: errno)
            }
        }
    }

    /// Returns the bytes themselves, or what they stand for in base64 if `inBase64` is true.
    static func decoded(_ bytes: [UInt8], inBase64: Bool, _ name: String) throws -> [UInt8] {
        if !inBase64 { return bytes }
        guard let decoded = try SecureBytes.decoding(base64: bytes.span.bytes) else {
            throw AgentError(.request, "\(name) is not in base64: leave --base64 out if it is binary")
        }
        return decoded.withBytes { $0.withUnsafeBytes { Array($0) } }
    }

    /// Returns the public key in a file: a public key or a certificate, in PEM or DER.
    static func publicKey(_ path: RawText) throws -> PublicKey {
        let bytes = try bytes(path)
        do throws(KeyError) {
            if bytes.isPEM {
                if let certificate = try? Certificate(pem: bytes.span.bytes) { return try certificate.publicKey }
                return try PublicKey(pem: bytes.span.bytes)
            }
            if let certificate = try? Certificate(der: bytes.span.bytes) { return try certificate.publicKey }
            return try PublicKey(subjectPublicKeyInfo: bytes.span.bytes)
        } catch { throw wrong(bytes.span.bytes, path.text, wanted: .publicKey, error) }
    }

    /// The objects that a file can have.
    enum Content {
        case privateKey, publicKey, certificate, opensshKey

        /// Creates what these bytes in PEM, or a certificate or public key in DER, are; nil if that is unknown.
        fileprivate init?(_ bytes: RawSpan) {
            if !bytes.isPEM {
                if (try? Certificate(der: bytes)) != nil {
                    self = .certificate
                } else if (try? PublicKey(subjectPublicKeyInfo: bytes)) != nil {
                    self = .publicKey
                } else {
                    return nil
                }
                return
            }
            // Only the label is compared, so no copy of a private key is made.
            if bytes.contains("-----BEGIN OPENSSH PRIVATE KEY-----") {
                self = .opensshKey
            } else if bytes.contains("PRIVATE KEY-----") {
                self = .privateKey
            } else if bytes.contains("-----BEGIN CERTIFICATE-----") {
                self = .certificate
            } else if bytes.contains("PUBLIC KEY-----") {
                self = .publicKey
            } else {
                return nil
            }
        }

        /// The content with its article.
        fileprivate var words: String {
            switch self {
            case .privateKey: "a private key"
            case .publicKey: "a public key"
            case .certificate: "a certificate"
            case .opensshKey: "a private key in the format of OpenSSH"
            }
        }
    }

    /// Returns the error for a file with other content than the command takes.
    static func wrong(_ bytes: RawSpan, _ file: String, wanted: Content, _ error: KeyError) -> AgentError {
        if case .malformed = error, wanted == .privateKey, Content(bytes) == .opensshKey {
            return AgentError(.request, "\(file): \(error): the file is damaged, so copy it again")
        }
        guard case .malformed = error, let found = Content(bytes), found != wanted else {
            // A file that is nothing of this kind can be one of two kinds.
            let isNeither = error == .malformed(.subjectPublicKeyInfo) && wanted == .publicKey
            return AgentError(.request, "\(file): \(isNeither ? "no public key and no certificate" : "\(error)")")
        }
        let advice: String =
            switch (found, wanted) {
            case (.certificate, .privateKey): "store it with `latchkey key certificate` after you have imported its key"
            case (.privateKey, .publicKey): "`openssl pkey -pubout` writes its public key"
            case (.opensshKey, .publicKey): "`ssh-keygen -e -m PKCS8 -f FILE` writes its public key"
            case (_, .certificate): "name the file of the certificate"
            case (_, .privateKey), (_, .opensshKey): "name the file of the private key"
            case (_, .publicKey): "name the file of the public key"
            }
        return AgentError(.request, "\(file) is \(found.words), not \(wanted.words): \(advice)")
    }

    /// Returns the certificate in a file, in PEM or DER.
    static func certificate(_ path: RawText) throws -> Certificate {
        let bytes = try bytes(path)
        do throws(KeyError) {
            return bytes.isPEM ? try Certificate(pem: bytes.span.bytes) : try Certificate(der: bytes.span.bytes)
        } catch { throw wrong(bytes.span.bytes, path.text, wanted: .certificate, error) }
    }
}

extension [UInt8] {
    /// True if the bytes have the beginning of a block in PEM.
    fileprivate var isPEM: Bool { span.bytes.isPEM }
}

extension RawSpan {
    /// True if the bytes have the beginning of a block in PEM.
    var isPEM: Bool { contains("-----BEGIN ") }

    /// Returns true if the bytes of `text`, which is not empty, are among these.
    func contains(_ text: StaticString) -> Bool {
        withUnsafeBytes { bytes in
            let mark = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
            guard bytes.count >= mark.count else { return false }
            return (0...(bytes.count - mark.count)).contains { place in
                bytes[place] == mark[0] && bytes[place..<(place + mark.count)].elementsEqual(mark)
            }
        }
    }
}
