internal import CommandLineKit
internal import KeyKit
internal import LatchkeyAgent
internal import LinuxSystem
internal import PlainText
internal import SodiumKit

/// The passphrase of a private key in the format of OpenSSH. The user types it to ssh-keygen, which knows every cipher of that
/// format.
enum KeyPassphrase {
    private static let command = "ssh-keygen -p -N '' -f"

    /// Returns the content of the file without its passphrase; the content itself if it has none or is no key of OpenSSH, or if
    /// there is no terminal to ask at.
    static func removed(
        from bytes: consuming SecureBytes, called file: String, isAsked: Bool
    ) throws -> SecureBytes {
        guard isAsked, isProtected(bytes) else { return bytes }
        return try EditedFile.changing(bytes, by: command, output: .nothing) { _ in
            Output.confirm("\(file) has a passphrase: type it for ssh-keygen, which opens a copy in memory.")
        } check: { status in
            guard status == 0 else {
                throw AgentError(
                    .wrong,
                    "ssh-keygen did not open \(file), and nothing was imported: check the passphrase, and that "
                        + "openssh-client is installed")
            }
        }
    }

    private static func isProtected(_ bytes: borrowing SecureBytes) -> Bool {
        guard bytes.withBytes({ $0.contains("-----BEGIN OPENSSH PRIVATE KEY-----") }) else { return false }
        do throws(KeyError) { _ = try PrivateKey(pem: bytes).type } catch { return error == .encryptedKey }
        return false
    }
}
