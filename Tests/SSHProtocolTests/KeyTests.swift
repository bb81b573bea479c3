import Foundation
import KeyKit
import SSHProtocol
import SodiumKit
import TestSupport
import Testing

/// Keys and signatures in SSH's forms, compared with the real ssh-keygen.
@Suite(.enabled(if: SSHKeygen.isThere, "skipped: needs openssh-client")) struct KeyTests {
    private static let types: [[String]] = [
        ["-t", "ed25519"], ["-t", "ecdsa", "-b", "256"], ["-t", "ecdsa", "-b", "384"], ["-t", "ecdsa", "-b", "521"],
        ["-t", "rsa", "-b", "3072"],
    ]

    @Test(arguments: types) func aKeyOfOpenSSHIsImportedAndHasItsBlobLineAndFingerprint(type: [String]) throws {
        let keygen = try SSHKeygen()
        try #require(try keygen.run(["-q", "-N", "", "-C", "a comment", "-f", "key"] + type).status == 0)
        let key = try PrivateKey(pem: SecureBytes(try keygen.text("key")))
        let half = SSHPublicKey(key.publicKey)
        let (blob, line) = (try keygen.blob("key.pub"), try keygen.text("key.pub"))
        #expect(half.blob == blob)
        #expect(SSHPublicKey(blob: half.blob) == half)
        #expect(half.line(comment: "a comment") + "\n" == line)
        #expect(try keygen.run(["-lf", "key.pub"]).output.contains(half.fingerprint))
        // Every cut and every longer blob is refused.
        for count in 0..<half.blob.count { #expect(SSHPublicKey(blob: Array(half.blob.prefix(count))) == nil) }
        #expect(SSHPublicKey(blob: half.blob + [0]) == nil)
        // A certificate leads to the same key.
        try #require(try keygen.run(["-q", "-s", "key", "-I", "i", "-n", "n", "key.pub"]).status == 0)
        let certificate = try #require(try SSHPublicKey(blob: keygen.blob("key-cert.pub")))
        #expect(certificate.isCertificate && certificate.plain == half)
    }

    @Test(arguments: types) func aSignatureIsOneForSSHKeygen(type: [String]) throws {
        let keygen = try SSHKeygen()
        try keygen.run(["-q", "-N", "", "-f", "key"] + type)
        try Data("a message".utf8).write(to: keygen.folder.url.appending(path: "file"))
        // What ssh-keygen signs, SSHProtocol verifies, and the other way around.
        try #require(try keygen.run(["-q", "-Y", "sign", "-f", "key", "-n", "git", "file"]).status == 0)
        let armored = try keygen.text("file.sig").split(separator: "\n").filter { !$0.hasPrefix("-----") }.joined()
        let file = try #require(Base64.bytes(armored))
        var reader = SSHReader(file.dropFirst(6))
        _ = reader.number()
        let (found, namespace, reserved, hash, bytes) =
            (reader.string(), reader.text(), reader.string(), reader.text(), reader.string())
        #expect(namespace == "git" && reserved == [] && hash == "sha512")
        let (blob, signature) = (try #require(found), try #require(bytes))
        var signed = SSHWriter()
        signed.string("git")
        signed.string("")
        signed.string("sha512")
        signed.string(try HashAlgorithm.sha512.digest(of: Array("a message".utf8).span.bytes))
        let data = Array("SSHSIG".utf8) + signed.bytes
        let key = try #require(SSHPublicKey(blob: blob))
        #expect(key.verify(signature, of: data))
        #expect(SSHSignedData(data) == .file(namespace: "git"))
        for place in signature.indices {
            var wrong = signature
            wrong[place] ^= 1
            #expect(!key.verify(wrong, of: data), "byte \(place)")
        }
        let own = try PrivateKey(pem: SecureBytes(try keygen.text("key")))
        for flags: UInt32 in [2, 4] {
            let scheme = try #require(SSHSignatureScheme(own.type, flags: flags))
            let made = try scheme.encode(own.sign(data.span.bytes, with: scheme.scheme))
            #expect(key.verify(made, of: data))
        }
    }

    @Test func rsaWithSHA1IsNoScheme() {
        for flags: UInt32 in [0, 1, 8, 1 << 31] { #expect(SSHSignatureScheme(.rsa(bits: 3072), flags: flags) == nil) }
        #expect(SSHSignatureScheme(.rsa(bits: 3072), flags: 2) == .rsaSHA256)
        #expect(SSHSignatureScheme(.rsa(bits: 3072), flags: 4) == .rsaSHA512)
    }

    @Test(arguments: types) func theContentOfACertificateIsRead(type: [String]) throws {
        let keygen = try SSHKeygen()
        try keygen.run(["-q", "-N", "", "-f", "ca", "-t", "ed25519"])
        try keygen.run(["-q", "-N", "", "-f", "key"] + type)
        for (words, isForHost, names) in [
            (["-n", "alice,bob"], false, ["alice", "bob"]), (["-h", "-n", "a.example"], true, ["a.example"]),
            ([], false, []),
        ] {
            try #require(try keygen.run(["-q", "-s", "ca", "-I", "i"] + words + ["key.pub"]).status == 0)
            // The authority signs all but the signature at the end.
            let whole = try keygen.blob("key-cert.pub")
            let signed = (1..<whole.count).map { Array(whole.prefix($0)) }.filter {
                if case .certificate = SSHSignedData($0) { true } else { false }
            }
            guard signed.count == 1, case .certificate(let content) = SSHSignedData(signed[0]) else {
                Issue.record("\(signed.count) certificates")
                continue
            }
            #expect(content.isForHost == isForHost && content.names == names)
            #expect(try content.authority == keygen.blob("ca.pub"))
        }
    }

    @Test func aKeyWithAPassphraseAndADamagedOneAreRefused() throws {
        let keygen = try SSHKeygen()
        for type in Self.types {
            try keygen.run(["-q", "-N", "a passphrase", "-f", "key"] + type, input: "y\n")
            let text = try keygen.text("key")
            #expect(throws: KeyError.encryptedKey) { _ = try PrivateKey(pem: SecureBytes(text)).type }
            try FileManager.default.removeItem(at: keygen.folder.url.appending(path: "key"))
        }
        try keygen.run(["-q", "-N", "", "-t", "ed25519", "-f", "key"])
        let lines = try keygen.text("key").split(separator: "\n")
        let whole = try #require(Base64.bytes(lines.dropFirst().dropLast().joined()))
        func read(_ bytes: [UInt8]) -> PublicKey? {
            let text = "\(lines[0])\n\(Base64.text(bytes))\n\(lines[lines.count - 1])\n"
            return try? PrivateKey(pem: SecureBytes(text)).publicKey
        }
        let right = try #require(read(whole))
        for count in whole.indices { #expect(read(Array(whole.prefix(count))) == nil) }
        for place in whole.indices {
            var wrong = whole
            wrong[place] ^= 1
            // A changed comment, or the first copy of the public half, leads to the same key or to none.
            if let other = read(wrong) { #expect(other == right, "byte \(place)") }
        }
    }
}
