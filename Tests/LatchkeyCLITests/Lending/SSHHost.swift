import Foundation
import Synchronization
import TestSupport

/// A real sshd on loopback, for one test.
final class SSHHost: Sendable {
    static let isThere =
        ["/usr/bin/python3", "/usr/sbin/sshd", "/usr/bin/ssh", "/usr/bin/ssh-keygen", "/usr/bin/git"]
        .allSatisfy(FileManager.default.isExecutableFile(atPath:)) && hasShell

    /// True if the user of the tests can log in: accounts of services have no shell.
    private static var hasShell: Bool {
        guard let shell = getpwuid(getuid())?.pointee.pw_shell.map({ String(cString: $0) }),
            let shells = try? String(contentsOfFile: "/etc/shells", encoding: .utf8)
        else { return false }
        return shells.split(separator: "\n").contains { $0 == shell }
    }

    /// The port.
    let port: String
    /// The key of the host, as files of known hosts have it.
    let key: String
    private let program: Mutex<SpawnedProgram?>
    private let folder: TemporaryFolder

    struct CannotStart: Error {}

    /// Starts a host where these keys log in as the user of the tests.
    init(authorizing keys: String) throws {
        folder = try TemporaryFolder()
        let made = try Command.run(
            ["-q", "-t", "ed25519", "-N", "", "-f", folder.path("host")], program: URL(filePath: "/usr/bin/ssh-keygen"))
        guard made.status == 0 else { throw CannotStart() }
        key = try String(contentsOfFile: folder.path("host.pub"), encoding: .utf8).split(separator: " ").prefix(2)
            .joined(separator: " ")
        try keys.write(toFile: folder.path("authorized"), atomically: true, encoding: .utf8)
        let settings = """
            HostKey \(folder.path("host"))
            AuthorizedKeysFile \(folder.path("authorized"))
            UsePAM no
            StrictModes no
            PidFile none
            PasswordAuthentication no
            KbdInteractiveAuthentication no
            PermitRootLogin yes
            LogLevel QUIET

            """
        try settings.write(toFile: folder.path("settings"), atomically: true, encoding: .utf8)
        // sshd wants this folder even if it separates nothing.
        if getuid() == 0 {
            try? FileManager.default.createDirectory(atPath: "/run/sshd", withIntermediateDirectories: true)
        }
        let script = Repository.root.appending(path: "Fixtures/lending/ssh-server.py").path
        var program = try SpawnedProgram(path: "/usr/bin/python3", ["-B", script, folder.path("settings")])
        guard let port = program.line() else { throw CannotStart() }
        self.port = "\(port)"
        self.program = Mutex(program)
    }

    deinit {
        program.withLock { running in
            running?.kill()
            running?.end()
            running = nil
        }
    }
}
