import Foundation
import TestSupport
import Testing

/// fprintd with libfprint's virtual reader, on a private bus with a polkit that permits everything. It is deleted with
/// the test,
/// and needs neither root nor the bus of the system.
final class VirtualReader: Sendable {
    private let folder: TemporaryFolder
    private let processes: [Process]

    private static let daemon = "/usr/libexec/fprintd"
    private static let python = "/usr/bin/python3"

    /// True if everything that it needs is installed.
    static let isPossible: Bool = {
        let files = ["/usr/bin/dbus-daemon", "/usr/bin/dbus-send", daemon, python]
        guard files.allSatisfy(FileManager.default.isExecutableFile) else { return false }
        let look = try? run(python, ["-I", "-c", "import gi, dbusmock.templates.polkitd"])
        look?.waitUntilExit()
        return look?.terminationStatus == 0
    }()

    struct DidNotStart: Error {
        var what: String
    }

    init() throws {
        let folder = try TemporaryFolder()
        let address = "unix:path=\(folder.path("bus"))"
        let settings = [
            "PATH": "/usr/bin:/bin", "DBUS_SYSTEM_BUS_ADDRESS": address, "HOME": folder.url.path,
            "FP_VIRTUAL_DEVICE": folder.path("reader"), "STATE_DIRECTORY": folder.path("state"),
        ]
        var started: [Process] = []
        do {
            try Data(Self.busConfiguration(address).utf8).write(to: folder.url.appending(path: "bus.conf"))
            try FileManager.default.createDirectory(
                at: folder.url.appending(path: "state"), withIntermediateDirectories: false)
            started.append(
                try Self.run(
                    "/usr/bin/dbus-daemon", ["--nofork", "--config-file=\(folder.path("bus.conf"))"], settings))
            try Self.wait(for: "the bus") { FileManager.default.fileExists(atPath: folder.path("bus")) }
            started.append(
                try Self.run(Self.python, ["-I", "-m", "dbusmock", "--system", "--template", "polkitd"], settings))
            try Self.wait(for: "polkit") {
                try Self.succeeds(
                    "org.freedesktop.PolicyKit1", "/org/freedesktop/PolicyKit1/Authority",
                    "org.freedesktop.DBus.Mock.AllowUnknown", "boolean:true", settings)
            }
            started.append(try Self.run(Self.daemon, ["-t"], settings))
            try Self.wait(for: "fprintd") {
                try Self.succeeds(
                    "net.reactivated.Fprint", "/net/reactivated/Fprint/Manager",
                    "net.reactivated.Fprint.Manager.GetDefaultDevice", nil, settings)
            }
        } catch {
            Self.end(started)
            throw error
        }
        self.folder = folder
        processes = started
    }

    deinit { Self.end(processes) }

    /// The variables with which a client finds it.
    var environment: [String: String] { ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(folder.path("bus"))"] }

    /// Puts a finger on the reader.
    func show(_ finger: String) {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let path = folder.path("reader")
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        let connection = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(connection) }
        let isConnected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(connection, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        #expect(isConnected, "the virtual reader listens as soon as it is claimed")
        let command = Array("SCAN \(finger)".utf8)
        #expect(send(connection, command, command.count, Int32(MSG_NOSIGNAL)) == command.count)
    }

    // MARK: - Processes

    private static func run(
        _ path: String, _ arguments: [String], _ environment: [String: String] = ["PATH": "/usr/bin:/bin"]
    ) throws -> Process {
        let process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.environment = environment
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }

    private static func succeeds(
        _ name: String, _ path: String, _ method: String, _ argument: String?, _ environment: [String: String]
    ) throws -> Bool {
        let call = ["--system", "--print-reply", "--reply-timeout=5000", "--dest=\(name)", path, method]
        let process = try run("/usr/bin/dbus-send", call + [argument].compactMap(\.self), environment)
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    private static func wait(for what: String, _ isThere: () throws -> Bool) throws {
        guard try Patience.wait(everyMilliseconds: 50, until: isThere) else { throw DidNotStart(what: what) }
    }

    private static func end(_ processes: [Process]) {
        for process in processes.reversed() {
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
    }

    private static func busConfiguration(_ address: String) -> String {
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
