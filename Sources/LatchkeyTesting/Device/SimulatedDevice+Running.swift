internal import Foundation
internal import Latchkey
internal import Synchronization

extension SimulatedDevice {
    /// The device that calls use here: the one of the surrounding `run`, or else of the process; nil
    /// if neither was chosen.
    ///
    ///     SimulatedDevice.current?.enroll("left thumb")
    public static var current: SimulatedDevice? { CurrentKeychain.known?.owner as? SimulatedDevice }

    /// Runs `body` with this device as the one that its calls use.
    ///
    ///     try device.run { try TokenStore().save("s3cret") }
    ///
    /// If `body` throws, the error and the device's last decisions are printed on standard error before the error is
    /// thrown on.
    ///
    /// The device belongs to the task and its children, so tests run in parallel. Work that `body` gives to a
    /// `DispatchQueue`, an `OperationQueue` or a `Thread` keeps it; a detached task does not: see ``processDefault``.
    @discardableResult
    public func run<Result>(_ body: () throws -> Result) rethrows -> Result {
        let telling = Telling(within: Telling.current)
        do {
            return try Telling.$current.withValue(telling) {
                try CurrentKeychain(keychain, of: self).whileCurrent { try body() }
            }
        } catch {
            telling.tell(error, of: self)
            throw error
        }
    }

    /// Runs an asynchronous `body` with this device as the one that its calls use.
    ///
    ///     try await device.run { try await session.unlock() }
    @discardableResult
    public nonisolated(nonsending) func run<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        let telling = Telling(within: Telling.current)
        do {
            return try await Telling.$current.withValue(telling) {
                try await CurrentKeychain(keychain, of: self).whileCurrent { try await body() }
            }
        } catch {
            telling.tell(error, of: self)
            throw error
        }
    }
}

/// A printer of errors that are thrown out of a device. Where devices run inside each other, it prints one error only
/// once.
final class Telling: Sendable {
    @TaskLocal static var current: Telling?
    /// True if errors are not printed, because a test asks for no log.
    @TaskLocal static var isSilent = false

    private struct Told: Hashable {
        let error: String
        let device: ObjectIdentifier
    }

    private let outer: Telling?
    private let told = Mutex<Set<Told>>([])
    /// The errors that are not printed with any device.
    private let settled = Mutex<Set<String>>([])

    fileprivate init(within outer: Telling?) { self.outer = outer }

    fileprivate func tell(_ error: any Error, of device: SimulatedDevice) {
        let telling = Told(error: "\(error)", device: ObjectIdentifier(device))
        outer?.remember(telling)
        if Self.isSilent || settled.withLock({ $0.contains(telling.error) }) || told.withLock({ $0.contains(telling) })
        {
            return
        }
        let log = "\(device)"
        device.logbook.notePrinted(log)
        FileHandle.standardError.write(
            Data("\(telling.error) was thrown out of a simulated device.\n\(log)\n".utf8))
    }

    /// Notes that `error` belongs to a device inside this one, whose test printed it or asked for no log.
    func settle(_ error: any Error) { settled.withLock { _ = $0.insert("\(error)") } }

    private func remember(_ telling: Told) { told.withLock { _ = $0.insert(telling) } }
}
