package import LocalWeb
internal import Synchronization

/// The history of a device, and the pages that watch it.
package final class LiveHub: Sendable {
    private struct State {
        var history: LiveHistory
        var streams: [EventStream] = []
    }

    /// The most steps that are kept.
    private static let capacity = 500

    private let shared: Mutex<State>

    package init(_ history: LiveHistory) { shared = Mutex(State(history: history)) }

    package var history: LiveHistory { shared.withLock { $0.history } }

    /// The state after the last step.
    package var state: LiveState {
        let history = history
        return history.steps.last { $0.state != nil }?.state ?? history.beginning
    }

    /// Replaces the history, and sends the new one to every page.
    package func begin(_ history: LiveHistory) {
        shared.withLock { shared in
            shared.history = history
            Self.send(LiveRequest.historyEvent, history.json, to: &shared.streams)
        }
    }

    /// Adds a step, and sends it to every page.
    package func add(_ step: LiveStep) {
        shared.withLock { shared in
            if shared.history.steps.count == Self.capacity {
                let first = shared.history.steps.removeFirst()
                shared.history.dropped += 1
                if let state = first.state { shared.history.beginning = state }
            }
            shared.history.steps.append(step)
            Self.send(LiveRequest.stepEvent, step.json, to: &shared.streams)
        }
    }

    /// Returns a stream of everything so far and of everything that follows.
    package func subscribe() -> EventStream {
        let stream = EventStream()
        shared.withLock { shared in
            stream.send(LiveRequest.historyEvent, shared.history.json)
            shared.streams.append(stream)
        }
        return stream
    }

    private static func send(_ name: String, _ text: String, to streams: inout [EventStream]) {
        streams.removeAll { $0.isClosed }
        for stream in streams { stream.send(name, text) }
    }
}
