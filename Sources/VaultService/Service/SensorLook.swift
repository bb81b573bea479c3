internal import AgentProtocol
internal import Latchkey
internal import LinuxSystem
internal import Synchronization

/// Asks a sensor for its enrolled set on a thread of its own, so that a report never waits for a dead sensor.
final class SensorLook: Sendable {
    private let keychain: Keychain
    private let waiting: Waiting
    private let asking: Worker

    /// The signals of the reports that wait for an answer.
    private final class Waiting: Sendable {
        let signals = Mutex<[Signal]>([])
    }

    /// The longest time that a report waits, in milliseconds.
    private static let patience = 2000

    init(_ keychain: Keychain) throws(AgentError) {
        self.keychain = keychain
        let waiting = Waiting()
        self.waiting = waiting
        asking = try Worker.doing {
            let signals = waiting.signals.withLock { signals in
                defer { signals = [] }
                return signals
            }
            _ = try? keychain.enrollmentHash  // This asks the sensor first.
            for signal in signals { signal.give() }
        }
    }

    /// Asks without waiting.
    func begin() { asking.want() }

    /// Asks, and waits a moment for the answer. Returns what is wrong with the sensor; nil if it answered.
    func trouble() -> String? {
        let signal = Signal()
        waiting.signals.withLock { $0.append(signal) }
        asking.want()
        let hasAnswered = signal.wait(upTo: Self.patience)
        if let error = keychain.sensorError { return "\(error)" }
        return hasAnswered ? nil : "the sensor has not answered yet: run `latchkey status` again in a moment"
    }
}
