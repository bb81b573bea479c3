/// The data that an SSH client wants signed, as far as the agent can tell.
package enum SSHSignedData: Hashable, Sendable {
    case login(SSHLogin)
    /// A file, or what a program treats as one, such as a commit of git. The text is the namespace.
    case file(namespace: String)
    /// A certificate that the key is the authority of.
    case certificate(SSHCertificateContent)
    /// Data that begins as a login or a file, and is none. A host or a program may still take it for one, and no prompt
    /// could say what it is for, so the agent refuses it.
    case malformed
    case other

    /// True if an authentication for another signature may count for this one, as far as the key's policy allows that.
    ///
    /// A login and a file are for one place and one purpose. Of other data no one knows what it allows, and a certificate
    /// allows a lot.
    package var allowsReuse: Bool {
        switch self {
        case .login, .file: true
        case .certificate, .malformed, .other: false
        }
    }

    package init(_ data: [UInt8]) {
        if SSHLogin.begins(data) {
            self = SSHLogin(data).map { .login($0) } ?? .malformed
        } else if data.starts(with: Self.fileMark) {
            self = Self.namespace(of: data).map { .file(namespace: $0) } ?? .malformed
        } else {
            self = SSHCertificateContent(data).map { .certificate($0) } ?? .other
        }
    }

    private static let fileMark = Array("SSHSIG".utf8)

    private static func namespace(of data: [UInt8]) -> String? {
        var reader = SSHReader(data.dropFirst(fileMark.count))
        guard let namespace = reader.text(), !namespace.isEmpty, reader.string() != nil,
            let hash = reader.text(), ["sha256", "sha512"].contains(hash), let digest = reader.string(),
            digest.count == (hash == "sha256" ? 32 : 64), reader.isAtEnd
        else { return nil }
        return namespace
    }
}

/// The request to log in with a key, of RFC 4252, which the client signs.
package struct SSHLogin: Hashable, Sendable {
    /// The identifier of the connection to the host.
    package let session: [UInt8]
    /// The name of the user at the host.
    package let user: String
    /// The blob of the key.
    package let key: [UInt8]
    /// The key of the host, if the client has put it in.
    package let hostKey: [UInt8]?

    private static let request: UInt8 = 50
    private static let method = "publickey"
    private static let boundMethod = "publickey-hostbound-v00@openssh.com"

    /// Returns true if the data begins as a request to log in does, by any method.
    fileprivate static func begins(_ data: [UInt8]) -> Bool {
        var reader = SSHReader(data)
        return reader.string() != nil && reader.byte() == request
    }

    /// Reads the request. Returns nil if the data is anything else, or if it contradicts itself.
    package init?(_ data: [UInt8]) {
        var reader = SSHReader(data)
        guard let session = reader.string(), !session.isEmpty, reader.byte() == Self.request, let user = reader.text(),
            reader.text() == "ssh-connection", let method = reader.text(),
            [Self.method, Self.boundMethod].contains(method), reader.byte() == 1, let algorithm = reader.text(),
            let key = reader.string(), Self.fits(algorithm, key)
        else { return nil }
        var hostKey: [UInt8]?
        if method == Self.boundMethod {
            guard let blob = reader.string() else { return nil }
            hostKey = blob
        }
        guard reader.isAtEnd else { return nil }
        (self.session, self.user, self.key, self.hostKey) = (session, user, key, hostKey)
    }

    /// Returns true if keys of the type that this blob names sign by the algorithm.
    private static func fits(_ algorithm: String, _ key: [UInt8]) -> Bool {
        var reader = SSHReader(key)
        guard let type = reader.text() else { return false }
        if !type.hasPrefix("ssh-rsa") { return algorithm == type }
        return ["ssh-rsa", "rsa-sha2-256", "rsa-sha2-512"].contains {
            algorithm == $0 + type.dropFirst("ssh-rsa".count)
        }
    }
}

/// The content of a certificate of OpenSSH, which its authority signs.
package struct SSHCertificateContent: Hashable, Sendable {
    /// True if the certificate is for a host, and false if it is for users.
    package let isForHost: Bool
    /// The names of the hosts or users; empty for any.
    package let names: [String]
    /// The blob of the authority's key.
    package let authority: [UInt8]

    /// The number of strings that each type of key has in a certificate.
    private static let fields = [
        "ssh-ed25519": 1, "ssh-rsa": 2, "ecdsa-sha2-nistp256": 2, "ecdsa-sha2-nistp384": 2, "ecdsa-sha2-nistp521": 2,
        "sk-ssh-ed25519": 2, "sk-ecdsa-sha2-nistp256": 3,
    ]

    /// Reads the content. Returns nil if the data is anything else.
    init?(_ data: [UInt8]) {
        var reader = SSHReader(data)
        guard let type = reader.text(), type.hasSuffix(SSHPublicKey.certificateMark),
            let fields = Self.fields[String(type.dropLast(SSHPublicKey.certificateMark.count))]
        else { return nil }
        // The nonce goes before the key.
        for _ in 0...fields { guard reader.string() != nil else { return nil } }
        guard reader.number() != nil, reader.number() != nil, let kind = reader.number(), (1...2).contains(kind),
            reader.string() != nil, let names = reader.string()
        else { return nil }
        // From when and until when it is valid.
        for _ in 0..<4 { guard reader.number() != nil else { return nil } }
        // Critical options, extensions, and a field that is not used yet.
        for _ in 0..<3 { guard reader.string() != nil else { return nil } }
        guard let authority = reader.string(), reader.isAtEnd else { return nil }
        var (list, rest) = ([String](), SSHReader(names))
        while !rest.isAtEnd {
            guard let name = rest.text() else { return nil }
            list.append(name)
        }
        (isForHost, self.names, self.authority) = (kind == 2, list, authority)
    }
}
