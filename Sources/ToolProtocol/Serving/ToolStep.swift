internal import PlainText

/// The first step of an answer.
package enum ToolStep<Desk: LoanDesk>: Sendable {
    /// There is no answer.
    case nothing
    /// The whole answer, without the end of its line.
    case answer([UInt8])
    /// A tool waits for the owner. Call ``ToolWait/state()`` where it can wait, then `ToolServer.end`.
    case wait(ToolWait<Desk>)
}

/// A wait for the owner.
package struct ToolWait<Desk: LoanDesk>: Sendable {
    let desk: Desk
    let request: String
    let seconds: Int
    let id: JSON
    let era: ProtocolVersion.Era
    let number: Int

    /// Waits for the request to change, at most 20 seconds, and returns its state.
    package func state() -> DeskState { desk.state(of: request, waitingSeconds: seconds) }
}

extension Methods {
    /// Returns the answer to the request of a wait.
    func answer(to wait: ToolWait<Desk>, with state: DeskState) -> Answer {
        .result(complete(ToolResult(state).members, in: wait.era), id: wait.id)
    }
}
