public import Foundation
internal import Synchronization

/// A bus for one test: its daemon knows no other service, and starts none.
public final class PrivateBus: Sendable {
    /// The folder of the bus, in which a test may put its own files too.
    public let folder: TemporaryFolder
    private let daemon = Mutex(Process?.none)

    private static let program = "/usr/bin/dbus-daemon"

    /// True if the daemon is installed.
    public static var isPossible: Bool { FileManager.default.isExecutableFile(atPath: program) }

    /// The daemon did not listen.
    public struct DoesNotListen: Error {}

    /// Starts a bus.
    public init() throws {
        folder = try TemporaryFolder()
        try Self.writeConfiguration(of: "session", at: "unix:path=\(folder.path("bus"))", to: folder)
        try start()
    }

    /// Writes the configuration of a bus on which everybody may do everything.
    static func writeConfiguration(of type: String, at address: String, to folder: TemporaryFolder) throws {
        let configuration = """
            <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
             "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
            <busconfig>
              <type>\(type)</type>
              <listen>\(address)</listen>
              <auth>EXTERNAL</auth>
              <policy context="default">
                <allow send_destination="*" eavesdrop="true"/>
                <allow eavesdrop="true"/>
                <allow own="*"/>
                <allow user="*"/>
              </policy>
            </busconfig>
            """
        try Data(configuration.utf8).write(to: folder.url.appending(path: "bus.conf"))
    }

    deinit { kill() }

    /// The address of the bus.
    public var address: String { "unix:path=\(folder.path("bus"))" }

    /// Starts the daemon, after it was killed.
    public func start() throws {
        let process = Process()
        process.executableURL = URL(filePath: Self.program)
        process.arguments = ["--nofork", "--nopidfile", "--config-file=\(folder.path("bus.conf"))"]
        process.environment = ["PATH": "/usr/bin:/bin"]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        daemon.withLock { $0 = process }
        guard Patience.wait(until: { FileManager.default.fileExists(atPath: folder.path("bus")) }) else {
            throw DoesNotListen()
        }
    }

    /// Kills the daemon, so that all connections end.
    public func kill() {
        guard let process = daemon.withLock({ $0.take() }) else { return }
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        try? FileManager.default.removeItem(atPath: folder.path("bus"))
    }

    /// The outcome of a client.
    public struct Run: Sendable {
        /// The exit status: 124 if it did not end in time.
        public let status: Int32
        /// The text on standard output.
        public let output: String
        /// The text on standard error.
        public let errors: String
    }

    /// Runs a program on this bus until it ends. It has a home folder of its own, and gets `input`.
    public func run(
        _ program: String, _ arguments: [String], input: String = "", environment: [String: String] = [:]
    ) throws -> Run {
        let client = try begin(program, arguments, input: input, environment: environment)
        return try client.end()
    }

    /// A program that runs on the bus.
    public final class Client: @unchecked Sendable {  // Process and Pipe lock for themselves
        /// The process, which `timeout` runs in.
        public let process = Process()
        fileprivate let output = Pipe()
        fileprivate let errors = Pipe()
        fileprivate let input = Pipe()

        fileprivate init() {}

        /// Waits for its end.
        public func end() throws -> Run {
            let errors = errors
            let complaints = Background { (try? errors.fileHandleForReading.readToEnd()) ?? Data() }
            let said = try output.fileHandleForReading.readToEnd() ?? Data()
            let complained = try complaints.value
            process.waitUntilExit()
            return Run(
                status: process.terminationStatus, output: String(decoding: said, as: UTF8.self),
                errors: String(decoding: complained, as: UTF8.self))
        }
    }

    /// Starts a program on this bus, as ``run(_:_:input:environment:)`` does.
    public func begin(
        _ program: String, _ arguments: [String], input: String = "", environment: [String: String] = [:]
    ) throws -> Client {
        let client = Client()
        client.process.executableURL = URL(filePath: "/usr/bin/timeout")
        client.process.arguments = ["-k", "5", "\(Patience.seconds)", program] + arguments
        client.process.environment = [
            "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": folder.url.path, "XDG_RUNTIME_DIR": folder.url.path,
            "DBUS_SESSION_BUS_ADDRESS": address, "PYTHON_KEYRING_BACKEND": "keyring.backends.SecretService.Keyring",
        ].merging(environment) { $1 }
        client.process.standardInput = client.input
        client.process.standardOutput = client.output
        client.process.standardError = client.errors
        try client.process.run()
        try? client.input.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try? client.input.fileHandleForWriting.close()
        return client
    }
}
