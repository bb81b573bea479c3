internal import Foundation
internal import Glibc
internal import Synchronization
internal import Testing

/// fprintd with libfprint's virtual reader, on a private bus with a mock of polkit. It is deleted with the test, and
/// needs neither root nor the bus of the system.
public final class VirtualReader: Sendable {
    private let folder: TemporaryFolder
    private let processes: [Process]
    private let fprintd = Mutex<Process?>(nil)
    private let settings: [String: String]

    private static let daemon = "/usr/libexec/fprintd"
    private static let python = "/usr/bin/python3"

    /// True if everything that it needs is installed.
    public static let isPossible: Bool = {
        let files = ["/usr/bin/dbus-daemon", "/usr/bin/dbus-send", "/usr/bin/busctl", daemon, python]
        guard files.allSatisfy(FileManager.default.isExecutableFile) else { return false }
        let look = try? run(python, ["-I", "-c", "import gi, dbusmock.templates.polkitd"])
        look?.waitUntilExit()
        return look?.terminationStatus == 0
    }()

    /// The packages that it needs, for the reason why a test is skipped.
    public static let packages =
        "needs the packages dbus, fprintd, libfprint-2-2, python3-dbusmock, python3-gi and systemd"

    struct DidNotStart: Error {
        var what: String
    }

    /// Starts all of it. If `isPermitted` is false, polkit denies everything. Without `isPluggedIn`, fprintd has no
    /// reader. If `isRunning` is false, there is only the bus.
    public init(isPermitted: Bool = true, isPluggedIn: Bool = true, isRunning: Bool = true) throws {
        let folder = try TemporaryFolder()
        let address = "unix:path=\(folder.path("bus/system_bus_socket"))"
        var settings = [
            "PATH": "/usr/bin:/bin", "DBUS_SYSTEM_BUS_ADDRESS": address, "HOME": folder.url.path,
            "STATE_DIRECTORY": folder.path("state"),
        ]
        if isPluggedIn { settings["FP_VIRTUAL_DEVICE"] = folder.path("reader") }
        var started: [Process] = []
        do {
            for name in ["bus", "state"] {
                try FileManager.default.createDirectory(
                    at: folder.url.appending(path: name), withIntermediateDirectories: false)
            }
            try Data(Self.busConfiguration(address).utf8).write(to: folder.url.appending(path: "bus.conf"))
            started.append(
                try Self.run(
                    "/usr/bin/dbus-daemon", ["--nofork", "--config-file=\(folder.path("bus.conf"))"], settings))
            try Self.wait(for: "the bus") {
                try Self.succeeds("org.freedesktop.DBus", "/", "org.freedesktop.DBus.GetId", nil, settings)
            }
            started.append(
                try Self.run(Self.python, ["-I", "-m", "dbusmock", "--system", "--template", "polkitd"], settings))
            try Self.wait(for: "polkit") {
                try Self.succeeds(
                    "org.freedesktop.PolicyKit1", "/org/freedesktop/PolicyKit1/Authority",
                    "org.freedesktop.DBus.Mock.AllowUnknown", "boolean:\(isPermitted)", settings)
            }
        } catch {
            Self.end(started)
            throw error
        }
        self.folder = folder
        self.settings = settings
        processes = started
        if isRunning { try start() }
    }

    deinit {
        end()
        Self.end(processes)
    }

    /// Starts fprintd.
    public func start() throws {
        let process = try Self.run(Self.daemon, ["-t"], settings)
        fprintd.withLock { $0 = process }
        try Self.wait(for: "fprintd") {
            try Self.succeeds(
                "net.reactivated.Fprint", "/net/reactivated/Fprint/Manager",
                "net.reactivated.Fprint.Manager.GetDevices", nil, settings)
        }
    }

    /// Kills fprintd, and waits until the bus knows.
    public func end() {
        guard let process = fprintd.withLock({ $0.take() }) else { return }
        Self.end([process])
        _ = Patience.wait(everyMilliseconds: 50) {
            let isThere = try? Self.succeeds(
                "net.reactivated.Fprint", "/net/reactivated/Fprint/Manager",
                "net.reactivated.Fprint.Manager.GetDevices", nil, settings)
            return isThere == false
        }
    }

    /// Stops fprintd, so that it answers nothing until it continues.
    public func pause(_ isPaused: Bool) {
        fprintd.withLock { process in
            if let process { kill(process.processIdentifier, isPaused ? SIGSTOP : SIGCONT) }
        }
    }

    /// The folder that holds the socket of the bus, as /run/dbus does on a system.
    public var busFolder: String { folder.path("bus") }

    /// The address of the bus.
    public var address: String { "unix:path=\(busFolder)/system_bus_socket" }

    /// Puts a finger on the reader, as soon as it is claimed.
    public func show(_ finger: String) { send(Array("SCAN \(finger)".utf8)) }

    /// Waits until the reader is claimed.
    public func waitForClaim() { send([]) }

    /// Waits until no program has claimed the reader.
    ///
    /// On a busy machine a claim may end after the call that used it, and would then get the next finger.
    public func waitForRelease() {
        #expect(Patience.wait { !reaches([]) }, "the claim on the virtual reader ends")
    }

    /// Puts a finger on the reader each second while `body` runs, because an earlier claim may get the first ones.
    public func show<Value>(
        _ finger: String, after start: @escaping @Sendable () -> Void = {}, while body: () throws -> Value
    ) rethrows -> Value {
        let (isOver, hasStopped) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let showing = Thread {
            start()
            while isOver.wait(timeout: .now() + 1) == .timedOut { _ = self.reaches(Array("SCAN \(finger)".utf8)) }
            hasStopped.signal()
        }
        showing.start()
        defer {
            isOver.signal()
            hasStopped.wait()
        }
        return try body()
    }

    private func send(_ command: [UInt8]) {
        #expect(Patience.wait { reaches(command) }, "the virtual reader listens as soon as it is claimed")
    }

    /// Sends a command to the reader. Returns false if no program has claimed it.
    private func reaches(_ command: [UInt8]) -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let path = folder.path("reader")
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        let connection = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(connection) }
        let isConnected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(connection, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        return isConnected && Glibc.send(connection, command, command.count, Int32(MSG_NOSIGNAL)) == command.count
    }

    /// Sends what fprintd sends when a finger matched, as any program on the bus may.
    public func forgeMatch() throws {
        let process = try Self.run(
            "/usr/bin/busctl",
            [
                "--address=\(address)", "emit", "/net/reactivated/Fprint/Device/0", "net.reactivated.Fprint.Device",
                "VerifyStatus", "sb", "verify-match", "true",
            ])
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
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
