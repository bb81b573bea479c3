import Foundation
import KeyKit
import SSHProtocol
import TestSupport

/// The real ssh-keygen, in a folder of its own.
struct SSHKeygen {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    static let isThere = FileManager.default.isExecutableFile(atPath: "/usr/bin/ssh-keygen")

    @discardableResult
    func run(_ words: [String], input: String = "") throws -> (status: Int32, output: String) {
        let process = Process()
        let output = Pipe()
        try Data(input.utf8).write(to: folder.url.appending(path: "input"))
        process.executableURL = URL(filePath: "/usr/bin/ssh-keygen")
        process.arguments = words
        process.currentDirectoryURL = folder.url
        process.standardInput = try FileHandle(forReadingFrom: folder.url.appending(path: "input"))
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, text)
    }

    func text(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: folder.url.appending(path: name)), as: UTF8.self)
    }

    /// Returns the blob in a file of a public key.
    func blob(_ name: String) throws -> [UInt8] {
        let words = try text(name).split(separator: " ")
        guard words.count > 1, let blob = Base64.bytes(String(words[1])) else { throw CocoaError(.coderInvalidValue) }
        return blob
    }
}

/// A host with a key of its own, which binds connections as sshd does.
struct Host {
    let secret: Secret
    var key: SSHPublicKey { SSHPublicKey(secret.key.publicKey) }

    /// A private key in a class, because it has one owner.
    final class Secret: Sendable {
        let key: PrivateKey
        init(_ type: KeyType) throws { key = try PrivateKey.generate(type) }
    }

    init(_ type: KeyType = .ed25519) throws { secret = try Secret(type) }

    func sign(_ message: [UInt8]) throws -> [UInt8] {
        guard let scheme = SSHSignatureScheme(secret.key.type, flags: 4) else { throw CocoaError(.coderInvalidValue) }
        return try scheme.encode(secret.key.sign(message.span.bytes, with: scheme.scheme))
    }

    /// Returns the message that binds a connection to this host.
    func binding(_ session: [UInt8], forwards: Bool, signed: [UInt8]? = nil) throws -> [UInt8] {
        Self.binding(key.blob, session, forwards: forwards, signed: try signed ?? sign(session))
    }

    /// Returns the message that binds a connection to a host with any key.
    static func binding(_ blob: [UInt8], _ session: [UInt8], forwards: Bool, signed: [UInt8]) -> [UInt8] {
        var message = SSHWriter()
        message.byte(27)
        message.string("session-bind@openssh.com")
        message.string(blob)
        message.string(session)
        message.string(signed)
        message.byte(forwards ? 1 : 0)
        return message.bytes
    }

    /// The blob of an RSA key of 1024 bits, which sshd still accepts as a host key.
    static var shortRSA: [UInt8] {
        var blob = SSHWriter()
        blob.string("ssh-rsa")
        blob.positive([1, 0, 1])
        blob.positive([UInt8](repeating: 0xC5, count: 128))
        return blob.bytes
    }

    /// The blob of a key on a security key.
    static var securityKey: [UInt8] {
        var blob = SSHWriter()
        blob.string("sk-ssh-ed25519@openssh.com")
        blob.string([UInt8](repeating: 7, count: 32))
        blob.string("ssh:")
        return blob.bytes
    }

    /// Adds the connection to a route, as the agent does.
    func bind(_ route: inout SSHRoute, _ session: [UInt8], forwards: Bool) throws -> Bool {
        guard case .bind(let binding)? = SSHAgentRequest(try binding(session, forwards: forwards)) else { return false }
        return route.add(binding)
    }
}

/// Returns what an SSH client signs to log in.
func login(
    _ session: [UInt8], _ user: String, _ key: [UInt8], at host: SSHPublicKey? = nil, mark: UInt8 = 1,
    by algorithm: String = "ssh-ed25519"
) -> [UInt8] {
    var data = SSHWriter()
    data.string(session)
    data.byte(50)
    data.string(user)
    data.string("ssh-connection")
    data.string(host == nil ? "publickey" : "publickey-hostbound-v00@openssh.com")
    data.byte(mark)
    data.string(algorithm)
    data.string(key)
    if let host { data.string(host.blob) }
    return data.bytes
}
