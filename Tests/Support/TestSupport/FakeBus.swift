internal import Foundation
internal import Synchronization

/// A private bus in the place of the system's, with services that are mocks or real. Tests can kill and restart each of them.
public final class FakeBus: Sendable {
    /// The folder of the bus and its services.
    public let folder: TemporaryFolder
    private let socket: String
    private let processes = Mutex<[String: Process]>([:])

    private static let daemon = "/usr/bin/dbus-daemon"
    private static let python = "/usr/bin/python3"
    private static let control = "/usr/bin/busctl"

    /// A request that failed, or a service that did not start.
    public struct DidNot: Error {
        private let what: String

        /// Creates the error that this did not happen.
        public init(what: String) { self.what = what }
    }

    /// Returns true if a bus and the mock of this template can be started here.
    public static func isPossible(_ template: String) -> Bool {
        guard [daemon, python, control].allSatisfy(FileManager.default.isExecutableFile) else { return false }
        let look = try? run(python, ["-I", "-c", "import gi, dbusmock.templates.\(template)"])
        look?.waitUntilExit()
        return look?.terminationStatus == 0
    }

    /// Creates the folder, and starts nothing.
    public init(socket: String = "bus") throws {
        folder = try TemporaryFolder()
        self.socket = folder.path(socket)
        try FileManager.default.createDirectory(
            at: URL(filePath: self.socket).deletingLastPathComponent(), withIntermediateDirectories: true)
        try PrivateBus.writeConfiguration(of: "system", at: address, to: folder)
    }

    deinit {
        // Services first: they would only complain that the bus is gone.
        for name in processes.withLock({ $0.keys.sorted { $0 != "bus" && $1 == "bus" } }) { end(name) }
    }

    /// The address of the bus.
    public var address: String { "unix:path=\(socket)" }

    /// Starts the bus.
    public func start() throws {
        try start("bus", Self.daemon, ["--nofork", "--config-file=\(folder.path("bus.conf"))"]) {
            try call("org.freedesktop.DBus", "/", "org.freedesktop.DBus", "GetId")
        }
    }

    /// Starts the mock of a template, and waits until a call does not throw.
    public func startMock(_ template: String, until call: () throws -> Void) throws {
        try start(template, Self.python, ["-I", "-m", "dbusmock", "--system", "--template", template], until: call)
    }

    /// Starts a service, and waits until a call does not throw.
    public func start(
        _ name: String, _ program: String, _ arguments: [String], _ settings: [String: String] = [:],
        until call: () throws -> Void
    ) throws {
        let own = ["PATH": "/usr/bin:/bin", "DBUS_SYSTEM_BUS_ADDRESS": address, "HOME": folder.url.path]
        let process = try Self.run(program, arguments, own.merging(settings) { $1 })
        processes.withLock { $0[name] = process }
        let isThere = Patience.wait(everyMilliseconds: 50) {
            do { try call() } catch { return false }
            return true
        }
        guard isThere else { throw DidNot(what: "\(name) answers") }
    }

    /// Kills the bus or a service.
    public func end(_ name: String) {
        guard let process = processes.withLock({ $0.removeValue(forKey: name) }) else { return }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Sends a signal to a service.
    public func send(_ signal: Int32, to name: String) {
        processes.withLock { if let process = $0[name] { kill(process.processIdentifier, signal) } }
    }

    /// Calls a method of a service, and returns the text of the reply.
    @discardableResult
    public func call(
        _ name: String, _ path: String, _ interface: String, _ method: String, _ arguments: String...
    ) throws -> String {
        try busctl(["call", name, path, interface, method] + arguments)
    }

    /// Runs `busctl` on the bus, and returns what it writes.
    @discardableResult
    public func busctl(_ arguments: [String]) throws -> String {
        let output = Pipe()
        let process = try Self.run(
            Self.control, ["--address=\(address)", "--timeout=5"] + arguments, output: output)
        let said = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw DidNot(what: arguments.joined(separator: " ")) }
        return String(decoding: said, as: UTF8.self)
    }

    private static func run(
        _ path: String, _ arguments: [String], _ environment: [String: String] = ["PATH": "/usr/bin:/bin"],
        output: Pipe? = nil
    ) throws -> Process {
        let process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.environment = environment
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output ?? FileHandle.nullDevice as Any
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }
}
