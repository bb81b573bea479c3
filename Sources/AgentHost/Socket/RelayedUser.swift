internal import AgentProtocol
internal import LinuxSystem
internal import PlainText
internal import Prompts
internal import SodiumKit
internal import Synchronization
internal import VaultService

/// The user at a client's terminal. The client shows the prompt and sends the answer; the agent checks it.
struct RelayedUser: DeviceUser {
    let connection: SocketConnection
    /// True if the prompts belong to a request of another client, which the user approves at this terminal.
    var isForAnother = false

    func answer(_ prompt: Prompt) -> Response {
        let number = connection.visit.countPrompt()
        let content = isForAnother ? prompt.content : connection.visit.complete(prompt.content)
        connection.tellOver()
        do throws(WireError) {
            try connection.wire.send(WireObject(["ask": .object(content.head(number).fields)]).text)
        } catch {
            prompt.end(.canceled)
            return .cancel
        }
        connection.begin(prompt, number)
        let box = Carrier<Response>()
        connection.progress.note(.asked)
        defer { connection.progress.note(.served) }
        connection.reading.withLock { _ in
            do throws(WireError) { box.fill(try response(to: prompt, number)) } catch {
                switch error {
                case .over: break
                case .unanswered: prompt.end(.timedOut)
                case .noRoom, .neverRoom:
                    connection.refusedAnswer.withLock { $0 = error }
                    prompt.end(.canceled)
                case .closed, .timedOut, .malformed, .system:
                    // A client that sends something that is no answer is not asked again.
                    prompt.end(.canceled)
                    connection.wire.end()
                }
            }
        }
        return box.take() ?? .cancel
    }

    private func response(to prompt: Prompt, _ number: Int) throws(WireError) -> Response {
        while true {
            var frame = try connection.wire.receive(until: prompt, within: WireLimits.promptPatience)
            var head = frame.head
            guard try head.consumeNumber("number") == number else { continue }
            if head["end"] != nil { continue }
            let gesture = try Gesture(from: &head)
            try head.end()
            switch gesture {
            case .typed:
                switch frame.secret.take() {
                case .some(let typed): return .typed(typed)
                case .none: return .cancel
                }
            case .touched(let shown): return .touch(showing: shown)
            case .confirmed: return .confirm
            case .fallback: return .fallback
            case .canceled: return .cancel
            case .elsewhere:
                if isForAnother { throw .malformed("a terminal that approves shows the prompt itself") }
                return answerElsewhere(prompt, number)
            }
        }
    }

    /// Returns the answer that the user gives at a terminal that `latchkey approve` offers. The client sends nothing meanwhile; it
    /// may close the connection.
    private func answerElsewhere(_ prompt: Prompt, _ number: Int) -> Response {
        let content = connection.visit.contentForAnotherTerminal(prompt.content)
        let watch = connection.wire.watchHangup { prompt.end(.canceled) }
        defer { watch.end() }
        return connection.approvingUser().answer(prompt, showing: content) {
            let waiting = WireObject([
                "number": .number("\(number)"), "seconds": .number("\(WireLimits.promptSeconds)"),
            ])
            connection.wire.post(WireObject(["waiting": .object(waiting.fields)]).text)
        }
    }

    /// Waits for the client to cancel the prompt or to take the fallback while the sensor works.
    func standBy(_ prompt: Prompt) {
        if !isForAnother, let user = connection.approving.withLock({ $0 }), user.hasPosted(prompt) {
            let watch = connection.wire.watchHangup { prompt.end(.canceled) }
            defer { watch.end() }
            return user.standBy(prompt)
        }
        let number = connection.visit.promptCount
        connection.reading.withLock { _ in
            do throws(WireError) {
                while prompt.ending == nil {
                    let frame = try connection.wire.receive(until: prompt)
                    var head = frame.head
                    guard try head.consumeNumber("number") == number else { continue }
                    guard let ending = Prompt.Ending(word: try head.consumeText("end")) else {
                        throw .malformed("this \"end\" is unknown")
                    }
                    prompt.end(ending == .fallback ? .fallback : .canceled)
                }
            } catch {
                if case .over = error { return }
                prompt.end(.canceled)
                connection.wire.end()
            }
        }
    }
}
