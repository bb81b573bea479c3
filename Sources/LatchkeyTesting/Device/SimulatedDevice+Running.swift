internal import Foundation
internal import Latchkey
internal import Synchronization

extension SimulatedDevice {
    /// The device that calls mean here: that of the ``run(_:)-(()->Result)`` around, or else of the process; nil where neither was
    /// chosen.
    ///
    ///     SimulatedDevice.current?.enroll("left thumb")
    public static var current: SimulatedDevice? { CurrentKeychain.known?.owner as? SimulatedDevice }

    /// Runs `body` with this device as the one that calls mean. What it throws is thrown, and told on standard error together
    /// with what the device decided.
    ///
    ///     try device.run { try TokenStore().save("s3cret") }
    ///
    /// The device goes with the task and its children, so that tests run beside each other. Code that hops to a plain
    /// `DispatchQueue` or `Thread`, or to a detached task, leaves it: see ``processDefault``.
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

    /// The same for what takes its time.
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

/// Tells of an error that is thrown out of a device, and of the same one only once where devices run inside each other.
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
