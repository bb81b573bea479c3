import AgentProtocol
import DeviceModel
import Foundation
import Latchkey
import SecretVault
import SodiumKit
import Synchronization
import TestSupport
import UserPresence

/// A vault for one test in its own folder, with a folder for the socket of its agent.
final class VaultOfTest: Sendable {
    static let passcode = "correct horse battery"

    let folder: TemporaryFolder
    let place: AgentPlace

    var path: String { folder.path("vault") }
    var runtime: String { folder.path("run") }

    /// Copies a vault that was made once. `user` owns the copy, if the agent runs as another user. With `isCostly`, a guess of its
    /// passcode has its whole cost: only the command as it was built opens such a vault.
    init(
        fakeSensor: Bool = false, settings: VaultSettings = VaultSettings(), user: uid_t? = nil, isCostly: Bool = false
    ) throws {
        folder = try TemporaryFolder()
        let made = try Self.prototype(fakeSensor, settings, isCostly: isCostly)
        try FileManager.default.copyItem(atPath: made.path("vault"), toPath: folder.path("vault"))
        try FileManager.default.createDirectory(
            atPath: folder.path("run"), withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        place = AgentPlace(vault: folder.path("vault"), usual: folder.path("usual"), runtime: folder.path("run"))
        if let user { try give(to: user) }
    }

    private static let made = Mutex<[URL]>([])
    /// The vaults that are copied, by what they are made with.
    private static let prototypes = Mutex<[String: TemporaryFolder]>([:])

    private static func prototype(
        _ fakeSensor: Bool, _ settings: VaultSettings = VaultSettings(), isCostly: Bool = false
    ) throws -> TemporaryFolder {
        // A service in this folder lies in the folder of each copy.
        let bytes = settings.bytes(forVaultIn: "/prototype")
        return try prototypes.withLock { prototypes in
            let name = "\(fakeSensor) \(isCostly) \(String(decoding: bytes, as: UTF8.self))"
            if let made = prototypes[name] { return made }
            var options = KeychainOptions()
            options.settings = bytes
            if fakeSensor {
                options.sensor = .touchID
                options.allowsFakeSensor = true
            }
            let sensor: SensorChoice = fakeSensor ? .fake : .none
            let made = try isCostly ? GuessCost.genuine { try make(sensor, options) } : make(sensor, options)
            prototypes[name] = made
            return made
        }
    }

    private static func make(_ sensor: SensorChoice, _ options: KeychainOptions) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        // These folders last as long as the process and are deleted when it ends.
        made.withLock { $0.append(folder.url) }
        atexit { VaultOfTest.made.withLock { $0.forEach { try? FileManager.default.removeItem(at: $0) } } }
        let passcode = try SecureBytes(passcode)
        let made = try Keychain.create(at: folder.path("vault"), options, passcode: passcode, sensor: sensor)
        if let key = try made.recoveryKey?.text().string() {
            try key.write(toFile: folder.path("recovery-key"), atomically: true, encoding: .utf8)
        }
        made.keychain.close()
        return folder
    }

    /// Returns the recovery key of every vault of this kind.
    static func recoveryKey(fakeSensor: Bool = false) throws -> String {
        try String(contentsOfFile: prototype(fakeSensor).path("recovery-key"), encoding: .utf8)
    }

    private func give(to user: uid_t) throws {
        let files = FileManager.default.enumerator(atPath: folder.url.path)?.compactMap { $0 as? String } ?? []
        for path in [folder.url.path] + files.map({ folder.path($0) }) {
            guard chown(path, user, user) == 0 else { throw POSIXError(.EPERM) }
        }
    }

    /// Connects a client like that of a command.
    func client() throws -> AgentClient {
        guard let client = try AgentClient.connect(to: place, app: "test") else { throw NoAgent() }
        return client
    }

    struct NoAgent: Error {}
}

extension ClosureUser {
    /// Returns a user who types this text at every prompt.
    static func typing(_ text: String = VaultOfTest.passcode) -> ClosureUser {
        ClosureUser { _ in
            guard let typed = try? SecureBytes(text) else { return .cancel }
            return .typed(typed)
        }
    }
}

extension SecureBytes {
    borrowing func array() -> [UInt8] { withBytes { bytes in bytes.withUnsafeBytes { Array($0) } } }

    /// Returns these bytes in guarded memory.
    static func of(_ bytes: [UInt8]) throws -> SecureBytes { try SecureBytes(copying: bytes.span.bytes) }
}
