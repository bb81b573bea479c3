internal import AgentProtocol
internal import CommandLineKit
internal import Glibc
internal import KeyKit
internal import LatchkeyCLI
internal import LinuxSystem
internal import PlainText
internal import SodiumKit

/// The passphrase of a private key in the format of OpenSSH. The user types it to ssh-keygen, which knows every cipher of that
/// format.
enum KeyPassphrase {
    /// The passphrase goes to this program, so no search path chooses it.
    private static let path = "/usr/bin/ssh-keygen"

    /// Returns the content of the file without its passphrase; the content itself if it has none or is no key of OpenSSH, or if
    /// the user is not at a terminal.
    static func removed(
        from bytes: consuming SecureBytes, called file: String, isAtTerminal: Bool
    ) throws -> SecureBytes {
        guard isAtTerminal, let key = try protectedKey(in: bytes) else { return bytes }
        guard access(path, X_OK) == 0 else {
            throw AgentError(
                .unavailable, "\(file) has a passphrase, and \(path) is missing, which opens it: install openssh-client"
            )
        }
        var program = FileChanger(
            name: "ssh-keygen", path: path, words: ["ssh-keygen", "-p", "-N", "", "-f"],
            otherWay: "import a copy whose passphrase `ssh-keygen -p -N '' -f COPY` has removed")
        // It asks at the terminal, whatever the command reads and writes, and wherever other passphrases are asked for.
        (program.child.input, program.child.output) = (.nothing, .nothing)
        program.environment.removeAll { $0.starts(with: "SSH_ASKPASS_REQUIRE=".utf8.map(CChar.init)) }
        program.environment.append(Array("SSH_ASKPASS_REQUIRE=never".utf8CString))
        program.isStep = true
        return try EditedFile.changing(key, by: program) { _ in
            Output.confirm("\(file) has a passphrase: type it for ssh-keygen, which opens a copy in memory.")
        } check: { status in
            guard status == 0 else {
                throw AgentError(
                    .wrong,
                    "ssh-keygen did not open \(file), and nothing was imported: run the command again, and check the "
                        + "passphrase")
            }
        }
    }

    /// Returns the block of a key with a passphrase as ssh-keygen reads it, which wants nothing around it; nil if there is none.
    private static func protectedKey(in bytes: borrowing SecureBytes) throws -> SecureBytes? {
        do throws(KeyError) {
            _ = try PrivateKey(pem: bytes).type
            return nil
        } catch {
            return error == .encryptedKey ? try PrivateKey.openSSHBlock(in: bytes) : nil
        }
    }
}
