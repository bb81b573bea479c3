internal import Foundation
internal import Latchkey
internal import SecretVault
internal import Synchronization
internal import UserPresence

/// The calls made while no device was chosen, once a test has made one. They were most likely meant for that device.
final class StrayCalls: KeychainWatcher {
    private static let all = StrayCalls()
    private let names = Mutex<[String: Int]>([:])

    /// Starts to record them. Calling it again changes nothing.
    static func watch() { CurrentKeychain.watchUnchosen(by: all) }

    /// The number of calls, by name.
    static var counts: [String: Int] { all.names.withLock { $0 } }

    func called(_ call: FaceCall, about what: String, code: Int, because why: String) {
        if call == .createAccessControl { return }  // Its result is the same on every device.
        let isFirst = names.withLock { names in
            names[call.rawValue, default: 0] += 1
            return names.count == 1 && names[call.rawValue] == 1
        }
        if !isFirst { return }
        FileHandle.standardError.write(
            Data(
                """
                \(call.rawValue) was called where no simulated device was chosen: outside of SimulatedDevice.run, on a \
                queue, on a thread or in a detached task. It used the device that all such calls of the process share. \
                To choose one, set SimulatedDevice.processDefault.

                """.utf8))
    }

    func decided(_ decision: WatchedDecision) {}
    func asked(_ content: PromptContent, ending: Prompt.Ending) {}
    func plannedFailure(of call: FaceCall) -> Int? { nil }
    var outlivesMisuse: Bool { false }
}
