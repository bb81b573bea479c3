internal import Foundation
internal import Latchkey
internal import SecretVault
internal import Synchronization
internal import UserPresence

/// Calls that were made where no device was chosen, once a test has made one: most likely they were meant for that one.
final class StrayCalls: KeychainWatcher {
    private static let all = StrayCalls()
    private let names = Mutex<[String: Int]>([:])

    /// Begins to watch; once is enough.
    static func watch() { CurrentKeychain.watchUnchosen(by: all) }

    /// How many there were, by name.
    static var counts: [String: Int] { all.names.withLock { $0 } }

    func called(_ call: FaceCall, about what: String, code: Int, because why: String) {
        if call == .createAccessControl { return }  // it is the same on every device
        let isFirst = names.withLock { names in
            names[call.rawValue, default: 0] += 1
            return names.count == 1 && names[call.rawValue] == 1
        }
        if !isFirst { return }
        FileHandle.standardError.write(
            Data(
                """
                \(call.rawValue) was called where no simulated device was chosen: outside of SimulatedDevice.run, on a queue, on \
                a thread or in a detached task. It means a device that all such calls of the process share; see \
                SimulatedDevice.processDefault.

                """.utf8))
    }

    func decided(_ decision: WatchedDecision) {}
    func asked(_ content: PromptContent, ending: Prompt.Ending) {}
    func plannedFailure(of call: FaceCall) -> Int? { nil }
    var outlivesMisuse: Bool { false }
}
