import Foundation
import SecretService
import Synchronization
import TestSupport
import Testing

/// A bus with the Secret Service over a store in memory, and clients on it.
final class Desktop: Sendable {
    let bus: PrivateBus
    let store: StoreInMemory
    let settings: SecretServer.Settings
    private let server: Mutex<SecretServer>

    struct DidNotServe: Error {}

    /// Starts the bus and the service. A call waits this long for a prompt. `prepare` runs before the service starts.
    init(
        millisecondsToAnswer: Int = 60_000,
        prepare: (PrivateBus, inout SecretServer.Settings) throws -> Void = { _, _ in }
    ) throws {
        bus = try PrivateBus()
        store = StoreInMemory()
        var settings = SecretServer.Settings()
        settings.address = bus.address
        settings.millisecondsToAnswer = millisecondsToAnswer
        try prepare(bus, &settings)
        self.settings = settings
        server = Mutex(SecretServer(store, settings))
        try begin()
    }

    deinit { stop() }

    private func begin() throws {
        let server = server.withLock { $0 }
        server.start()
        guard Patience.wait(until: { server.state == .serving }) else { throw DidNotServe() }
    }

    var state: SecretServer.State { server.withLock { $0.state } }

    /// Stops the service: its connection ends in the middle of everything, as if it were killed.
    func stop() { server.withLock { $0 }.stop() }

    /// Starts another service over the same store.
    func restart(afterStopping: Bool = false) throws {
        if afterStopping { stop() }
        server.withLock { $0 = SecretServer(store, settings) }
        try begin()
    }

    static func has(_ programs: String...) -> Bool {
        PrivateBus.isPossible && programs.allSatisfy { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// Returns true if Python has these modules.
    static func hasPython(_ modules: String) -> Bool {
        guard has("/usr/bin/python3") else { return false }
        let look = Process()
        look.executableURL = URL(filePath: "/usr/bin/python3")
        look.arguments = ["-I", "-c", "import \(modules)"]
        look.standardError = FileHandle.nullDevice
        try? look.run()
        look.waitUntilExit()
        return look.terminationStatus == 0
    }

    /// Runs a program in Python on the bus.
    func python(_ text: String, _ arguments: [String] = []) throws -> PrivateBus.Run {
        try bus.run("/usr/bin/python3", ["-I", "-c", text] + arguments)
    }

    /// Stores a secret by secret-tool, without a prompt.
    func storeSecret(_ secret: String = "s3cret", _ attributes: String...) throws {
        let run = try bus.run("/usr/bin/secret-tool", ["store", "--label=Sample"] + attributes, input: secret)
        #expect(run.status == 0, "\(run.errors)")
    }
}
