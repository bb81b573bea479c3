import AccessPolicy
import AgentProtocol
import Foundation
import Latchkey
import SecretVault
import SodiumKit
import Synchronization
import TestSupport
import UserPresence

/// An unlocked vault for one test, with its agent and a folder of links to the command.
final class UnlockedVault: Sendable {
    static let passcode = "correct horse"

    private let folder: TemporaryFolder
    private let client: AgentClient
    private let agentPlace: AgentPlace
    /// The environment in which commands find the vault.
    let environment: [String: String]

    /// Creates a vault and its agent. With another vault, both belong to one login of their user.
    init(inLoginOf other: UnlockedVault? = nil) throws {
        folder = try TemporaryFolder()
        let runtime = other?.environment["XDG_RUNTIME_DIR"] ?? folder.path("run")
        let links = folder.path("bin")
        let home = folder.path("home")
        for path in (other == nil ? [runtime] : []) + [links, home] {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        }
        try Command.link(into: links)
        let path = folder.path("vault")
        try FileManager.default.copyItem(atPath: Self.made.get().path("vault"), toPath: path)
        environment = [
            "LATCHKEY_HOME": path, "XDG_RUNTIME_DIR": runtime, "HOME": home, "NO_COLOR": "1",
            "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(runtime)/bus",
            "PATH": "\(links):\(ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")",
            "GIT_CONFIG_NOSYSTEM": "1", "GIT_TERMINAL_PROMPT": "0", "GIT_ASKPASS": "", "SSH_ASKPASS": "",
            "DISPLAY": "", "WAYLAND_DISPLAY": "", "GPG_TTY": "", "LATCHKEY_PROMPT": "",
            "XDG_DATA_HOME": "", "XDG_CONFIG_HOME": "", "http_proxy": "", "HTTP_PROXY": "", "SSH_AUTH_SOCK": "",
        ]
        // The first command starts the agent.
        _ = try Command.run(["status"], environment: environment)
        let place = AgentPlace(vault: path, usual: folder.path("usual"), runtime: runtime)
        guard let client = try AgentClient.connect(to: place, app: "test") else { throw CocoaError(.fileNoSuchFile) }
        self.client = client
        agentPlace = place
        try unlock()
    }

    deinit {
        _ = try? client.stop()
    }

    /// The vault that each test gets a copy of. Creating one takes half a second.
    private static let made = Result {
        let folder = try TemporaryFolder()
        place.withLock { $0 = folder.url }
        atexit { UnlockedVault.place.withLock { if let url = $0 { try? FileManager.default.removeItem(at: url) } } }
        try Keychain.create(at: folder.path("vault"), passcode: SecureBytes(passcode)).keychain.close()
        return folder
    }
    private static let place = Mutex<URL?>(nil)

    /// The path at which the agent looks for the bus of the session.
    var busPath: String { folder.path("run/bus") }

    /// The process of the agent that serves the vault now.
    func agentProcess() throws -> pid_t { try connect().process }

    /// Returns the path of `name` in the home of the user who runs the commands.
    func path(_ name: String) -> String { folder.path("home/\(name)") }

    func unlock() throws { try unlock(by: client) }

    /// Unlocks the vault at the agent that serves it now, in case the first one was ended.
    func unlockAnew() throws { try unlock(by: connect()) }

    private func unlock(by client: AgentClient) throws {
        _ = try client.ask(UnlockCall(bySensor: false), of: Self.user(typing: ""))
    }

    /// Returns a user who types the passcode, and this phrase where a phrase is asked for.
    private static func user(typing phrase: String) -> ClosureUser {
        ClosureUser(atOnce: true) { prompt in
            let text =
                switch prompt.content.kind {
                case .passphrase, .newPassphrase: phrase
                default: passcode
                }
            guard let typed = try? SecureBytes(text) else { return .cancel }
            return .typed(typed)
        }
    }

    /// Lets a secret be lent for a server.
    func allow(_ name: String, _ server: String) throws {
        _ = try client.ask(AllowLendingCall(name, allowing: [server]), of: Self.user(typing: ""))
    }

    func backUp(to path: String, _ phrase: String) throws {
        _ = try client.ask(BackUpCall(path), of: Self.user(typing: phrase)) { _ in }
    }

    func transfer(to path: String, _ phrase: String) throws(AgentError) {
        _ = try client.ask(TransferCall(path, isKept: false), of: Self.user(typing: phrase)) { _ in }
    }

    func restore(_ path: String, _ phrase: String) throws {
        _ = try client.ask(ImportBackupCall(path), of: Self.user(typing: phrase)) { _ in }
    }

    /// Returns a connection of its own to the agent.
    func connect() throws -> AgentClient {
        guard let client = try AgentClient.connect(to: agentPlace, app: "test") else {
            throw CocoaError(.fileNoSuchFile)
        }
        return client
    }

    /// Changes settings of the vault.
    func change(_ values: [SettingName: SettingValue]) throws {
        _ = try client.ask(SettingsCall(SettingChanges(.vault, values)), of: Self.user(typing: ""))
    }

    func lock() throws { _ = try client.ask(LockCall(), of: nil) }

    /// Saves a secret, which by default needs no authentication.
    func set(_ name: String, _ bytes: [UInt8], _ policy: ItemPolicy = ItemPolicy(.whenUnlockedThisDeviceOnly, []))
        throws
    {
        let secret = try SecureBytes(copying: bytes.span.bytes)
        _ = try client.ask(AddCall(name, policy, comment: nil, replaces: true), sending: secret, of: nil)
    }

    func set(_ name: String, _ text: String, _ policy: ItemPolicy = ItemPolicy(.whenUnlockedThisDeviceOnly, [])) throws
    {
        try set(name, Array(text.utf8), policy)
    }

    /// Returns a secret that needs no authentication; nil if there is none with this name.
    func get(_ name: String) throws -> String? {
        do throws(AgentError) {
            var reply = try client.ask(ReadCall(name), of: nil)
            switch reply.secret.take() {
            case .some(let secret): return secret.string()
            case .none: return ""
            }
        } catch {
            if error.kind == .notFound { return nil }
            throw error
        }
    }

    /// Returns the names of all secrets.
    func names() throws -> [String] {
        try sh("latchkey list --names").output.split(separator: "\n").map(String.init)
    }

    /// Runs a script of the shell with no terminal, not even that of whoever runs the tests, and with the usual signals, of which
    /// other tests ignore one.
    func sh(_ script: String, _ changes: [String: String] = [:]) throws -> Command.Run {
        try Command.run(
            ["-w", "env", "--default-signal=PIPE", "sh", "-c", script],
            environment: environment.merging(changes) { $1 },
            program: URL(filePath: "/usr/bin/setsid"))
    }
}

extension Command {
    /// Links the command into a folder, under each of its names.
    static func link(into folder: String) throws {
        for name in ["latchkey", "git-credential-latchkey", "docker-credential-latchkey", "latchkey-askpass"] {
            try FileManager.default.createSymbolicLink(atPath: "\(folder)/\(name)", withDestinationPath: binary.path)
        }
    }
}
