import Foundation
import SodiumKit
import TestSupport
import Testing
import UserPresence

/// A response that can be compared.
enum Heard: Equatable {
    case touch, confirm, fallback, cancel
    case typed([UInt8])

    init(_ response: consuming Response) {
        switch response {
        case .touch: self = .touch
        case .confirm: self = .confirm
        case .fallback: self = .fallback
        case .cancel: self = .cancel
        case .typed(let bytes):
            self = .typed(
                bytes.withBytes { bytes in
                    (0..<bytes.byteCount).map { bytes.unsafeLoad(fromByteOffset: $0, as: UInt8.self) }
                })
        }
    }
}

/// A prompt that is shown on another thread.
final class Asked: @unchecked Sendable {  // the semaphore stands between the two threads
    let prompt: Prompt
    private let done = DispatchSemaphore(value: 0)
    private var heard: Heard?

    init(_ content: PromptContent, at user: TerminalUser) {
        prompt = Prompt(content)
        Thread.detachNewThread { [self] in
            heard = Heard(user.answer(prompt))
            done.signal()
        }
    }

    init(standingBy content: PromptContent, at user: TerminalUser) {
        prompt = Prompt(content)
        Thread.detachNewThread { [self] in
            user.standBy(prompt)
            done.signal()
        }
    }

    /// Returns the answer, which has to come soon.
    func answer(_ location: SourceLocation = #_sourceLocation) throws -> Heard? {
        let isDone = done.wait(timeout: .now() + Double(Patience.seconds)) == .success
        try #require(isDone, "nothing came back", sourceLocation: location)
        return heard
    }

    /// True if the prompt is still open a moment later.
    var isWaiting: Bool {
        if done.wait(timeout: .now() + 0.15) == .timedOut { return true }
        done.signal()
        return false
    }
}
