internal import Synchronization

/// Who is being served. When there is no room, somebody has to go, and first of those whose process has the most connections:
/// nobody keeps others out by connecting often, saying nothing, or leaving prompts and answers lie.
final class Clients: Sendable {
    /// What becomes of a client now, the sooner to be given up first.
    enum Stage: Int, Sendable {
        /// It is waited for to say something, or to finish saying it.
        case silent
        /// It has a prompt to answer.
        case asked
        /// Something is done for it.
        case served
    }

    private struct Place {
        let session: Session
        var stage = Stage.silent
        var since = ContinuousClock.now
    }

    private struct State {
        var places: [ObjectIdentifier: Place] = [:]
        /// Those with a place, and those that were given up and are not gone yet.
        var present = 0
        var isClosed = false
    }

    private let state = Mutex(State())
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    /// Takes in another; false where too many who were given up are not gone yet.
    func admit(_ session: Session) -> Bool {
        let (isAdmitted, leaving): (Bool, Session?) = state.withLock { state in
            guard !state.isClosed, state.present < 2 * limit else { return (false, nil) }
            var leaving: Session?
            if state.places.count >= limit, let id = Self.next(of: state.places) {
                leaving = state.places.removeValue(forKey: id)?.session
            }
            state.places[ObjectIdentifier(session)] = Place(session: session)
            state.present += 1
            return (true, leaving)
        }
        leaving?.wire.end()
        return isAdmitted
    }

    /// Whose place another gets.
    private static func next(of places: [ObjectIdentifier: Place]) -> ObjectIdentifier? {
        var connections: [Int32: Int] = [:]
        for place in places.values { connections[place.session.peer.process, default: 0] += 1 }
        return places.min { one, other in
            let left = (-(connections[one.value.session.peer.process] ?? 0), one.value.stage.rawValue)
            let right = (-(connections[other.value.session.peer.process] ?? 0), other.value.stage.rawValue)
            return left == right ? one.value.since < other.value.since : left < right
        }?.key
    }

    /// What becomes of it from now on.
    func note(_ session: Session, _ stage: Stage) {
        let id = ObjectIdentifier(session)
        state.withLock { state in
            state.places[id]?.stage = stage
            state.places[id]?.since = .now
        }
    }

    /// It is gone.
    func leave(_ session: Session) {
        let id = ObjectIdentifier(session)
        state.withLock { state in
            state.places[id] = nil
            state.present -= 1
        }
    }

    /// Ends all of them, and takes in nobody any more.
    func endAll() {
        let sessions = state.withLock { state in
            state.isClosed = true
            return state.places.values.map(\.session)
        }
        for session in sessions { session.wire.end() }
    }
}
