/// The data that an SSH client wants signed, as far as the agent can tell.
package enum SSHSignedData: Hashable, Sendable {
    /// A login.
    case login(SSHLogin)
    /// A file, or what a program treats as one, such as a commit of git. The text is the namespace.
    case file(namespace: String)
    /// Something else.
    case unknown

    /// Reads the data.
    package init(_ data: [UInt8]) {
        if let login = SSHLogin(data) {
            self = .login(login)
        } else if let namespace = Self.namespace(of: data) {
            self = .file(namespace: namespace)
        } else {
            self = .unknown
        }
    }

    private static func namespace(of data: [UInt8]) -> String? {
        let mark = Array("SSHSIG".utf8)
        guard data.starts(with: mark) else { return nil }
        var reader = SSHReader(data.dropFirst(mark.count))
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

    /// Reads the request. Returns nil if the data is anything else.
    package init?(_ data: [UInt8]) {
        var reader = SSHReader(data)
        guard let session = reader.string(), !session.isEmpty, reader.byte() == Self.request, let user = reader.text(),
            reader.text() == "ssh-connection", let method = reader.text(),
            [Self.method, Self.boundMethod].contains(method), reader.byte() == 1, reader.text() != nil,
            let key = reader.string()
        else { return nil }
        var hostKey: [UInt8]?
        if method == Self.boundMethod {
            guard let blob = reader.string() else { return nil }
            hostKey = blob
        }
        guard reader.isAtEnd else { return nil }
        (self.session, self.user, self.key, self.hostKey) = (session, user, key, hostKey)
    }
}
