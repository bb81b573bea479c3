import AccessPolicy
import DeviceModel
import Foundation
import Latchkey
import SecretVault
import SodiumKit

/// An unlocked real vault, full of secrets of 64 bytes that need no authentication. The installed agent holds it in
/// another process, and the benchmark uses its socket alone.
final class HeldVault {
    static let passcode = "123456"
    static let group = "latchkey"

    let path: String
    /// The folder that serves as `XDG_RUNTIME_DIR`; the socket is below it.
    let runtime: String
    let socket: String
    private let agent = Process()

    /// Creates a vault in this folder with `count` secrets and `records` records in its log.
    init(_ count: Int, records: Int = 0, at path: String) throws {
        self.path = path
        try Self.fill(path, count)
        if records > 0 { try Self.fillLog(of: path, records) }
        // The path of a socket has to be short.
        runtime =
            FileManager.default.temporaryDirectory.path + "/latchkey-bench-\(ProcessInfo.processInfo.processIdentifier)"
        try FileManager.default.createDirectory(
            atPath: runtime, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        agent.executableURL = URL(filePath: ".build/install/latchkey")
        agent.arguments = ["agent", "--vault", path, "--lock-after", "0"]
        agent.environment = ["HOME": path, "XDG_RUNTIME_DIR": runtime, "PATH": "/usr/bin:/bin"]
        try agent.run()
        socket = try Self.listening(agent, below: runtime)
        try unlock()
    }

    deinit {
        agent.terminate()
        agent.waitUntilExit()
        try? FileManager.default.removeItem(atPath: runtime)
    }

    /// Fills the vault before an agent is started.
    private static func fill(_ path: String, _ count: Int) throws {
        try Keychain.create(at: path, passcode: SecureBytes(passcode)).keychain.close()
        let vault = try Vault.open(at: path)
        defer { vault.close() }
        try vault.enter(passcode: SecureBytes(passcode))
        let items = (0..<count).lazy.map(description)
        let reply = try vault.addAll(items, for: Caller("bench", groups: [group])) { number in
            try SecureBytes(secret(number))
        }
        guard reply.isGranted else { throw CannotMeasure() }
    }

    static func description(_ number: Int) -> ItemDescription {
        ItemDescription(
            .genericPassword, ["acct": .string(name(number)), "svce": .string("latchkey")],
            AccessControl(.whenUnlockedThisDeviceOnly), group: group)
    }

    /// Returns the path of the socket once the agent listens there.
    private static func listening(_ agent: Process, below runtime: String) throws -> String {
        let folder = runtime + "/latchkey"
        let end = Date.now + 60
        while agent.isRunning, Date.now < end {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            if let name = names.first(where: { $0.hasSuffix(".socket") && !$0.hasSuffix("ssh.socket") }),
                (try? AgentConnection(to: folder + "/" + name)) != nil
            {
                return folder + "/" + name
            }
            usleep(1_000)
        }
        throw CannotMeasure()
    }

    func connect() throws -> AgentConnection { try AgentConnection(to: socket) }

    func unlock() throws { try connect().unlock(passcode: Self.passcode) }

    static func name(_ number: Int) -> String { "bench/account-\(number)" }

    static func secret(_ number: Int) -> String {
        let text = "secret \(number) "
        return text + String(repeating: "x", count: 64 - text.utf8.count)
    }

    /// Returns the memory that the agent uses now, in MiB.
    func memory() throws -> Double {
        let status = try String(contentsOfFile: "/proc/\(agent.processIdentifier)/status", encoding: .utf8)
        for line in status.split(separator: "\n") where line.hasPrefix("VmRSS:") {
            if let kibibytes = Double(line.split(whereSeparator: \.isWhitespace)[1]) { return kibibytes / 1024 }
        }
        throw CannotMeasure()
    }
}

/// The error that something which a figure needs could not be set up.
struct CannotMeasure: Error {}
