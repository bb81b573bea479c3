import Foundation
import Synchronization

/// What runs longer when somebody asks for it.
enum Soak {
    /// For how many seconds, where somebody says so.
    static let asked = ProcessInfo.processInfo.environment["LATCHKEY_SOAK_SECONDS"].flatMap { Int($0) }
    static var isOn: Bool { asked ?? 0 >= 600 }
}

/// Something that is said once to several threads, and that they answer.
final class Flag: Sendable {
    private let state = Mutex((isUp: false, count: 0))

    var isUp: Bool { state.withLock { $0.isUp } }
    var count: Int { state.withLock { $0.count } }
    func raise() { state.withLock { $0.isUp = true } }
    func add() { state.withLock { $0.count += 1 } }
}
