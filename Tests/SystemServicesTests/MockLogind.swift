import Foundation
import Synchronization
import TestSupport
import Testing

/// A private bus with a mock of logind. Tests can kill and restart both.
final class MockLogind: Sendable {
    private let folder: TemporaryFolder
    private let processes = Mutex((bus: Process?.none, logind: Process?.none))

    private static let daemon = "/usr/bin/dbus-daemon"
    private static let python = "/usr/bin/python3"
    private static let busctl = "/usr/bin/busctl"
    private static let name = "org.freedesktop.login1"
    private static let manager = "/org/freedesktop/login1"

    /// True if everything that the mock needs is installed.
    static let isPossible: Bool = {
        guard [daemon, python, busctl].allSatisfy(FileManager.default.isExecutableFile) else { return false }
        let look = try? start(python, ["-I", "-c", "import gi, dbusmock.templates.logind"])
        look?.waitUntilExit()
        return look?.terminationStatus == 0
    }()

    struct DidNot: Error {
        var what: String
    }

    /// Creates the folder for both, and starts neither.
    init() throws {
        folder = try TemporaryFolder()
        try Data(busConfiguration.utf8).write(to: folder.url.appending(path: "bus.conf"))
    }

    deinit {
        killLogind()
        killBus()
    }

    /// The address of the bus.
    var address: String { "unix:path=\(folder.path("bus"))" }

    // MARK: - Starting and ending

    func startBus() throws {
        let bus = try Self.start(Self.daemon, ["--nofork", "--config-file=\(folder.path("bus.conf"))"])
        processes.withLock { $0.bus = bus }
        try wait(for: "the bus to answer") { (try? call("org.freedesktop.DBus", "/", "GetId")) != nil }
    }

    func startLogind() throws {
        let logind = try Self.start(
            Self.python, ["-I", "-m", "dbusmock", "--system", "--template", "logind"],
            ["PATH": "/usr/bin:/bin", "DBUS_SYSTEM_BUS_ADDRESS": address, "HOME": folder.url.path])
        processes.withLock { $0.logind = logind }
        try wait(for: "logind to answer") { (try? inhibitors()) != nil }
    }

    func killBus() { Self.end(processes.withLock { $0.bus.take() }) }

    func killLogind() { Self.end(processes.withLock { $0.logind.take() }) }

    // MARK: - Requests and signals

    /// Returns the inhibitors, as the text of a reply.
    func inhibitors() throws -> String {
        try busctl(["call", Self.name, Self.manager, "\(Self.name).Manager", "ListInhibitors"])
    }

    /// Announces that the machine is about to sleep, or that it has woken up.
    func announceSleep(_ begins: Bool) throws {
        try mock(
            Self.manager, "EmitSignal",
            ["sssav", "\(Self.name).Manager", "PrepareForSleep", "b", "1", "b", "\(begins)"])
    }

    /// Makes logind answer every request for an inhibitor with this error.
    func refuse(with error: String) throws {
        try mock(
            Self.manager, "AddMethod",
            [
                "sssss", "\(Self.name).Manager", "Inhibit", "ssss", "h",
                "raise dbus.exceptions.DBusException('not now', name='\(error)')",
            ])
    }

    /// Adds a session of the user with this number.
    func addSession(_ session: String, of user: uid_t) throws {
        try mock(Self.manager, "AddSession", ["ssusb", session, "seat0", "\(user)", "user\(user)", "true"])
    }

    /// Adds a session that does not answer questions about itself.
    func addNamelessSession(_ session: String) throws {
        try mock(
            Self.manager, "AddObject",
            ["ssa{sv}a(ssss)", "\(Self.manager)/session/\(session)", "\(Self.name).Session", "0", "0"])
    }

    /// Locks a session.
    func lock(_ session: String) throws {
        try mock(
            "\(Self.manager)/session/\(session)", "EmitSignal", ["sssav", "\(Self.name).Session", "Lock", "", "0"])
    }

    /// Announces sleep to each connection alone, as any program on the bus may.
    func forgeSleep() throws {
        for number in 0..<30 {
            _ = try? busctl([
                "emit", "--destination=:1.\(number)", Self.manager, "\(Self.name).Manager", "PrepareForSleep", "b",
                "true",
            ])
        }
    }

    private func mock(_ path: String, _ method: String, _ arguments: [String]) throws {
        _ = try busctl(["call", Self.name, path, "org.freedesktop.DBus.Mock", method] + arguments)
    }

    private func call(_ name: String, _ path: String, _ method: String) throws -> String {
        try busctl(["call", name, path, name, method])
    }

    private func busctl(_ arguments: [String]) throws -> String {
        let output = Pipe()
        let process = try Self.start(
            Self.busctl, ["--address=\(address)", "--timeout=5"] + arguments, output: output)
        let said = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw DidNot(what: arguments.joined(separator: " ")) }
        return String(decoding: said, as: UTF8.self)
    }

    // MARK: - Processes

    private static func start(
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

    private static func end(_ process: Process?) {
        guard let process else { return }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    private var busConfiguration: String {
        """
        <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
        <busconfig>
          <type>system</type>
          <listen>\(address)</listen>
          <auth>EXTERNAL</auth>
          <policy context="default">
            <allow send_destination="*"/>
            <allow receive_sender="*"/>
            <allow own="*"/>
            <allow user="*"/>
          </policy>
        </busconfig>
        """
    }
}

/// Waits until a condition holds. Fails if it does not hold in time.
func wait(for what: String, _ isSo: () throws -> Bool) throws {
    guard try Patience.wait(until: isSo) else { throw MockLogind.DidNot(what: what) }
}
