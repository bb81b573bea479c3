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
private final class Telling: Sendable {
    @TaskLocal static var current: Telling?

    private struct Told: Hashable {
        let error: String
        let device: ObjectIdentifier
    }

    private let outer: Telling?
    private let told = Mutex<Set<Told>>([])

    init(within outer: Telling?) { self.outer = outer }

    func tell(_ error: any Error, of device: SimulatedDevice) {
        let telling = Told(error: "\(error)", device: ObjectIdentifier(device))
        outer?.remember(telling)
        if told.withLock({ $0.contains(telling) }) { return }
        FileHandle.standardError.write(
            Data("\(telling.error) was thrown out of a simulated device.\n\(device)\n".utf8))
    }

    private func remember(_ telling: Told) { told.withLock { _ = $0.insert(telling) } }
}
