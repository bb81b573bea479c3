internal import Foundation
internal import Glibc
internal import Testing

/// fprintd with libfprint's virtual reader, on a private bus with a mock of polkit. It is deleted with the test, and
/// needs neither root nor the bus of the system.
public final class VirtualReader: Sendable {
    private let bus: FakeBus
    private let settings: [String: String]

    private static let daemon = "/usr/libexec/fprintd"

    /// True if everything that it needs is installed.
    public static let isPossible = FakeBus.isPossible("polkitd") && FileManager.default.isExecutableFile(atPath: daemon)

    /// The packages that it needs, for the reason why a test is skipped.
    public static let packages =
        "needs the packages dbus, fprintd, libfprint-2-2, python3-dbusmock, python3-gi and systemd"

    /// Starts all of it. If `isPermitted` is false, polkit denies everything. Without `isPluggedIn`, fprintd has no
    /// reader. If `isRunning` is false, there is only the bus.
    public init(isPermitted: Bool = true, isPluggedIn: Bool = true, isRunning: Bool = true) throws {
        bus = try FakeBus(socket: "bus/system_bus_socket")
        try FileManager.default.createDirectory(
            at: bus.folder.url.appending(path: "state"), withIntermediateDirectories: false)
        var settings = ["STATE_DIRECTORY": bus.folder.path("state")]
        if isPluggedIn { settings["FP_VIRTUAL_DEVICE"] = bus.folder.path("reader") }
        self.settings = settings
        try bus.start()
        try bus.startMock("polkitd") {
            try bus.call(
                "org.freedesktop.PolicyKit1", "/org/freedesktop/PolicyKit1/Authority", "org.freedesktop.DBus.Mock",
                "AllowUnknown", "b", "\(isPermitted)")
        }
        if isRunning { try start() }
    }

    /// Starts fprintd.
    public func start() throws { try bus.start("fprintd", Self.daemon, ["-t"], settings) { try findDevices() } }

    /// Kills fprintd, and waits until the bus knows.
    public func end() {
        bus.end("fprintd")
        _ = Patience.wait(everyMilliseconds: 50) { (try? findDevices()) == nil }
    }

    private func findDevices() throws {
        let name = "net.reactivated.Fprint"
        try bus.call(name, "/net/reactivated/Fprint/Manager", "\(name).Manager", "GetDevices")
    }

    /// Stops fprintd, so that it answers nothing until it continues.
    public func pause(_ isPaused: Bool) { bus.send(isPaused ? SIGSTOP : SIGCONT, to: "fprintd") }

    /// The folder that holds the socket of the bus, as /run/dbus does on a system.
    public var busFolder: String { bus.folder.path("bus") }

    /// The address of the bus.
    public var address: String { bus.address }

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
        let path = bus.folder.path("reader")
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
        try bus.busctl([
            "emit", "/net/reactivated/Fprint/Device/0", "net.reactivated.Fprint.Device", "VerifyStatus", "sb",
            "verify-match", "true",
        ])
    }
}
