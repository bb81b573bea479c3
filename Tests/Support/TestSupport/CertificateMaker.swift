public import Foundation

/// Makes keys, certificates and archives with the command `openssl`, in a folder of its own.
public struct CertificateMaker: Sendable {
    private static let binary = URL(filePath: "/usr/bin/openssl")
    private let folder: TemporaryFolder

    /// True if the command is installed.
    public static let isThere = FileManager.default.isExecutableFile(atPath: binary.path)

    /// The types of keys to make.
    public enum Key: Sendable {
        /// A key on this curve, by OpenSSL's name.
        case ec(String)
        /// An RSA key with this many bits.
        case rsa(Int)
        /// An Ed25519 key.
        case ed25519

        fileprivate var options: [String] {
            switch self {
            case .ec(let curve): ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:\(curve)"]
            case .rsa(let bits): ["-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:\(bits)"]
            case .ed25519: ["-algorithm", "ed25519"]
            }
        }
    }

    /// The extensions of an authority.
    public static let authority = ["basicConstraints = critical, CA:TRUE", "keyUsage = critical, keyCertSign, cRLSign"]

    /// Creates the folder.
    public init() throws {
        folder = try TemporaryFolder(inMemory: true)
        try write([], "index")
    }

    /// Runs the command in the folder, and throws unless it succeeds.
    @discardableResult
    public func run(_ arguments: [String]) throws -> String {
        let words = ["-c", "cd \"$1\" && shift && exec openssl \"$@\"", "sh", folder.url.path] + arguments
        let run = try Command.run(words, program: URL(filePath: "/bin/sh"))
        guard run.status == 0 else { throw Failure(words: arguments, errors: run.errors) }
        return run.output
    }

    /// Writes a file.
    public func write(_ bytes: [UInt8], _ name: String) throws {
        try Data(bytes).write(to: folder.url.appending(path: name))
    }

    /// Returns the path of a file.
    public func path(_ name: String) -> String { folder.path(name) }

    /// Reads a file.
    public func read(_ name: String) throws -> Data { try Data(contentsOf: folder.url.appending(path: name)) }

    /// Makes a key and its certificate: `name.key`, `name.pem` and `name.der`. Returns the certificate in DER.
    ///
    /// - Parameters:
    ///   - issuer: The name of the certificate that signs; nil for a self-signed one.
    ///   - subject: The subject in OpenSSL's form; nil for the name as the common name.
    ///   - key: The type of the key.
    ///   - days: The first and the last day, such as "20240101".
    ///   - hash: The hash function of the signature.
    ///   - extensions: The lines of the section for extensions.
    @discardableResult
    public func make(
        _ name: String, by issuer: String? = nil, subject: String? = nil, key: Key = .ec("P-256"),
        days: (String, String) = ("20240101", "20260101"), hash: String = "sha256",
        _ extensions: [String] = []
    ) throws -> Data {
        let configuration = """
            [ca]
            default_ca = d
            [d]
            database = index
            rand_serial = yes
            new_certs_dir = .
            policy = any
            unique_subject = no
            [any]
            organizationName = optional
            organizationalUnitName = optional
            commonName = optional
            emailAddress = optional
            [req]
            distinguished_name = any
            string_mask = utf8only
            [extensions]
            \((extensions.isEmpty ? ["subjectKeyIdentifier = hash"] : extensions).joined(separator: "\n"))
            """
        try write(Array(configuration.utf8), "configuration")
        if !FileManager.default.fileExists(atPath: folder.url.appending(path: "\(name).key").path) {
            try run(["genpkey", "-out", "\(name).key"] + key.options)
        }
        try run([
            "req", "-new", "-key", "\(name).key", "-out", "request", "-config", "configuration", "-utf8", "-subj",
            subject ?? "/CN=\(name)",
        ])
        let signing =
            issuer.map { ["-cert", "\($0).pem", "-keyfile", "\($0).key"] } ?? ["-selfsign", "-keyfile", "\(name).key"]
        try run(
            [
                "ca", "-batch", "-notext", "-config", "configuration", "-in", "request", "-out", "\(name).pem",
                "-extensions", "extensions", "-startdate", "\(days.0)000000Z", "-enddate", "\(days.1)000000Z", "-md",
                hash,
            ] + signing)
        try run(["x509", "-in", "\(name).pem", "-outform", "DER", "-out", "\(name).der"])
        return try read("\(name).der")
    }

    /// Makes a certificate for a public key, whose private key can be anywhere. Returns the certificate in DER.
    public func certify(publicKey pem: String, by issuer: String, subject: String) throws -> Data {
        try write(Array(pem.utf8), "public.pem")
        try run([
            "x509", "-new", "-force_pubkey", "public.pem", "-subj", subject, "-CA", "\(issuer).pem", "-CAkey",
            "\(issuer).key", "-days", "30", "-outform", "DER", "-out", "certified.der",
        ])
        return try read("certified.der")
    }

    /// Makes an archive with the key and the certificate of this name, and with other certificates.
    public func archive(
        _ name: String, with others: [String] = [], passphrase: String, _ options: [String] = []
    ) throws -> Data {
        var all: [UInt8] = []
        for other in others { all += Array(try read("\(other).pem")) }
        try write(all, "others")
        try run(
            [
                "pkcs12", "-export", "-inkey", "\(name).key", "-in", "\(name).pem", "-name", name, "-passout",
                "pass:\(passphrase)", "-out", "archive",
            ] + (others.isEmpty ? [] : ["-certfile", "others"]) + options)
        return try read("archive")
    }

    /// The error of a command that fails.
    struct Failure: Error {
        let words: [String]
        let errors: String
    }
}
