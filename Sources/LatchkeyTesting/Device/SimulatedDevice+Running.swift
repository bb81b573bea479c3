internal import Foundation
internal import Latchkey

extension SimulatedDevice {
    @TaskLocal private static var ofTask: SimulatedDevice?

    /// The device that calls mean here: that of the ``run(_:)-(()->Result)`` around, or else of the process; nil where neither was
    /// chosen.
    ///
    ///     SimulatedDevice.current?.enroll("left thumb")
    public static var current: SimulatedDevice? { ofTask ?? processDefault }

    /// Runs `body` with this device as the one that calls mean. What it throws is thrown, and told together with what the device
    /// decided.
    ///
    ///     try device.run { try TokenStore().save("s3cret") }
    ///
    /// The device goes with the task and its children, so that tests run beside each other. Code that hops to a plain
    /// `DispatchQueue` or `Thread` leaves it: see ``processDefault``.
    public func run<Result>(_ body: () throws -> Result) rethrows -> Result {
        do {
            return try Self.$ofTask.withValue(self) { try keychain.asCurrent { try body() } }
        } catch {
            tell(error)
            throw error
        }
    }

    /// The same for what takes its time.
    ///
    ///     try await device.run { try await session.unlock() }
    public nonisolated(nonsending) func run<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        do {
            return try await Self.$ofTask.withValue(self) {
                try await keychain.asCurrent { try await body() }
            }
        } catch {
            tell(error)
            throw error
        }
    }

    private func tell(_ error: any Error) {
        FileHandle.standardError.write(Data("\(error) was thrown out of a simulated device.\n\(self)\n".utf8))
    }
}
