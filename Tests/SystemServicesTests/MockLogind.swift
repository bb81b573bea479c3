import Foundation
import TestSupport
import Testing

/// A private bus with a mock of logind. Tests can kill and restart both.
final class MockLogind: Sendable {
    private let bus: FakeBus

    private static let name = "org.freedesktop.login1"
    private static let manager = "/org/freedesktop/login1"

    /// True if everything that the mock needs is installed.
    static let isPossible = FakeBus.isPossible("logind")

    /// Creates the folder for both, and starts neither.
    init() throws { bus = try FakeBus() }

    /// The address of the bus.
    var address: String { bus.address }

    func startBus() throws { try bus.start() }

    func startLogind() throws { try bus.startMock("logind") { _ = try inhibitors() } }

    func killBus() { bus.end("bus") }

    func killLogind() { bus.end("logind") }

    // MARK: - Requests and signals

    /// Returns the inhibitors, as the text of a reply.
    func inhibitors() throws -> String {
        try bus.call(Self.name, Self.manager, "\(Self.name).Manager", "ListInhibitors")
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
            _ = try? bus.busctl([
                "emit", "--destination=:1.\(number)", Self.manager, "\(Self.name).Manager", "PrepareForSleep", "b",
                "true",
            ])
        }
    }

    private func mock(_ path: String, _ method: String, _ arguments: [String]) throws {
        try bus.busctl(["call", Self.name, path, "org.freedesktop.DBus.Mock", method] + arguments)
    }
}

/// Waits until a condition holds. Fails if it does not hold in time.
func wait(for what: String, _ isSo: () throws -> Bool) throws {
    guard try Patience.wait(until: isSo) else { throw FakeBus.DidNot(what: what) }
}
