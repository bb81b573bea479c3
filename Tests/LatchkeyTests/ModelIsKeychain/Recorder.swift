import AccessPolicy
import Synchronization
import UserPresence

/// The present user of the device, with a record of the prompts.
final class Recorder: DeviceUser {
    private let state = Mutex(State())

    private struct State {
        var person = SimulatedPerson()
        var record = Record()
    }

    /// The prompts of one call.
    struct Record: Equatable {
        /// The factors that were asked for, with one entry for repeated prompts of one factor.
        var factors: [Factor] = []
        /// The number of prompts for permission to use the sensor.
        var permissions = 0
        /// The number of prompts for something that no call in these tests asks for.
        var strange = 0
    }

    var answersAtOnce: Bool { true }

    /// Gives the device to `person`.
    func hand(to person: SimulatedPerson) {
        state.withLock { $0 = State(person: person) }
    }

    /// The prompts since the device was given to its present user.
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
    /// Another attempt at the last prompt is not a new one.
    fileprivate mutating func note(_ factor: Factor, _ attempt: Int) {
        if attempt == 1 {
            factors.append(factor)
        } else if factors.last != factor {
            strange += 1
        }
    }
}
