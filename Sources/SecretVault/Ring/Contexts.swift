internal import AccessPolicy

/// The contexts of a vault, by number.
struct Contexts {
    private var states: [UInt64: ContextState] = [:]
    private var next: UInt64 = 1
    /// The context of callers that bring none. It never has evidence.
    let empty: ContextState

    init(_ ring: KeyRing) { empty = ContextState(ring) }

    /// Creates a context and returns its number.
    mutating func make(_ ring: KeyRing) -> UInt64 {
        defer { next += 1 }
        states[next] = ContextState(ring)
        return next
    }

    /// Ends a context and wipes its keys.
    mutating func end(_ number: UInt64) { states.removeValue(forKey: number)?.wipe() }

    /// Returns the context with this number, or the empty one if there is none.
    subscript(number: UInt64?) -> ContextState { number.flatMap { states[$0] } ?? empty }

    var all: [UInt64: ContextState] { states }

    /// Wipes the evidence of every context.
    func forgetEvidence() {
        for state in states.values { state.forgetEvidence() }
    }

    /// Wipes the evidence of these factors, and what it opened, in the contexts for which `isMeant` returns true.
    func wipe(_ factors: FactorSet, where isMeant: (ContextState) -> Bool = { _ in true }) {
        for state in states.values where isMeant(state) { state.wipe(factors) }
    }
}
