internal import Synchronization

/// Who is being served. When there is no room, whoever has been silent for longest has to go: nobody keeps others out by
/// connecting and saying nothing.
final class Clients: Sendable {
    private struct State {
        var sessions: [ObjectIdentifier: Session] = [:]
        var silent: [ObjectIdentifier: ContinuousClock.Instant] = [:]
        var isClosed = false
    }

    private let state = Mutex(State())
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    /// Takes in another; false where all who are there are being served.
    func admit(_ session: Session) -> Bool {
        let leaving: Session? = state.withLock { state in
            guard !state.isClosed, state.sessions.count >= limit,
                let longest = state.silent.min(by: { $0.value < $1.value })?.key
            else { return nil }
            state.silent[longest] = nil
            return state.sessions.removeValue(forKey: longest)
        }
        leaving?.wire.end()
        return state.withLock { state in
            guard !state.isClosed, state.sessions.count < limit else { return false }
            state.sessions[ObjectIdentifier(session)] = session
            state.silent[ObjectIdentifier(session)] = .now
            return true
        }
    }

    /// It waits for a request from now on, or not any more.
    func note(_ session: Session, isSilent: Bool) {
        let id = ObjectIdentifier(session)
        state.withLock { state in
            guard state.sessions[id] != nil else { return }
            state.silent[id] = isSilent ? .now : nil
        }
    }

    func leave(_ session: Session) {
        let id = ObjectIdentifier(session)
        state.withLock { state in
            state.sessions[id] = nil
            state.silent[id] = nil
        }
    }

    /// Ends all of them, and takes in nobody any more.
    func endAll() {
        let sessions = state.withLock { state in
            state.isClosed = true
            return Array(state.sessions.values)
        }
        for session in sessions { session.wire.end() }
    }
}
