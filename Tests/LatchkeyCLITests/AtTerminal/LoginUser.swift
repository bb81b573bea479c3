import Foundation
import TestSupport
import Testing

/// A user of the system for one test, who has a copy of the command.
final class LoginUser {
    let name = "lk-" + UUID().uuidString.prefix(8).lowercased()
    let home: String
    /// An empty folder that the user's commands see as /etc/pam.d, whatever services this machine has.
    private let services: String

    init(password: String) throws {
        home = "/tmp/latchkey-\(name)"
        services = home + ".pam.d"
        try Self.system("useradd --no-create-home --home-dir '\(home)' --shell /bin/sh \(name)")
        try set(password)
        try Self.system(
            "mkdir -m 755 '\(services)' && mkdir -m 700 '\(home)' '\(home)/run' && cp '\(Command.binary.deletingLastPathComponent().path)'/* '\(home)'"
                + " && chown -R \(name) '\(home)'"
        )
    }

    deinit {
        _ = try? run("agent", "stop")
        // A process that is ending keeps its user for a moment, which is long on a busy machine.
        try? Self.system(
            "timeout 60 sh -c 'until userdel \(name) 2>/dev/null; do sleep 0.1; done'; rm -rf '\(home)' '\(services)'")
    }

    func set(_ password: String) throws { try Self.system("echo '\(name):\(password)' | chpasswd") }

    static func system(_ script: String) throws {
        let run = try Command.run(["-ec", script], program: URL(filePath: "/bin/sh"))
        try #require(run.status == 0, "\(script): \(run.errors)")
    }

    func run(
        _ arguments: String..., umask: String = "022", at place: String = "$LATCHKEY_HOME",
        asked dialogue: [(question: String, answer: String)] = []
    ) throws -> (status: Int32, shown: String) {
        let terminal = try CommandAtTerminal(
            [
                "--mount", "/bin/sh", "-c", "mount --bind \"$0\" /etc/pam.d && exec setpriv \"$@\"", services,
                "--reuid=\(name)", "--regid=\(name)", "--clear-groups", "/bin/sh", "-c",
                "umask \(umask); LATCHKEY_HOME=\"\(place)\" exec \"$0\" \"$@\"", "\(home)/latchkey",
            ] + arguments,
            program: "/usr/bin/unshare",
            environment: ["LATCHKEY_HOME": home + "/vault", "XDG_RUNTIME_DIR": home + "/run", "HOME": home])
        try terminal.answer(dialogue)
        return (terminal.end(), terminal.shown)
    }

    /// True if this machine can have such a user.
    static let isPossible: Bool = {
        let programs = [
            "/usr/sbin/useradd", "/usr/sbin/chpasswd", "/usr/bin/setpriv", "/usr/bin/unshare", "/usr/sbin/unix_chkpwd",
        ]
        return Privileges.mayMount && programs.allSatisfy { access($0, X_OK) == 0 }
    }()
}
