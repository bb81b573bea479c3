import AccessPolicy
import Synchronization
import UserPresence

/// Whoever holds the device at the moment, with somebody beside them who writes down what they are asked for.
final class Recorder: DeviceUser {
    private let state = Mutex(State())

    private struct State {
        var person = SimulatedPerson()
        var record = Record()
    }

    /// What was asked for in one call.
    struct Record: Equatable {
        /// One entry whenever another factor is asked for than before on the same sheet.
        var factors: [Factor] = []
        /// How often they were asked to permit the sensor.
        var permissions = 0
        /// How often they were asked for what no call in these tests asks for.
        var strange = 0
    }

    var answersAtOnce: Bool { true }

    /// From now on `person` holds the device.
    func hand(to person: SimulatedPerson) {
        state.withLock { $0 = State(person: person) }
    }

    /// What they were asked for since.
    var record: Record { state.withLock { $0.record } }

    func answer(_ prompt: Prompt) -> Response {
        let content = prompt.content
        let person = state.withLock { state in
            switch content.kind {
            case .biometry: state.record.note(.biometry, content.attempt)
            case .companion: state.record.note(.companion, content.attempt)
            case .passcode: state.record.note(.passcode, content.attempt)
            case .applicationPassword, .newApplicationPassword:
                state.record.note(.applicationPassword, content.attempt)
            case .permission: state.record.permissions += 1
            case .formerPasscode, .newPasscode, .recoveryKey, .passphrase, .newPassphrase, .newSecret:
                state.record.strange += 1
            }
            return state.person
        }
        return person.answer(prompt)
    }
}

extension Recorder.Record {
    /// Another attempt at what was shown last is no other prompt.
    fileprivate mutating func note(_ factor: Factor, _ attempt: Int) {
        if attempt == 1 {
            factors.append(factor)
        } else if factors.last != factor {
            strange += 1
        }
    }
}
