internal import PlainText

extension Methods {
    /// Returns the answers to a batch, in its order; nil if no message of it needs one. No tool waits in a batch: the waits would add
    /// up.
    func answers(to messages: [Message]) -> [UInt8]? {
        var answers: [JSON] = []
        for message in messages {
            switch message {
            case .notification, .response: break
            case .wrong(let fault, let id): answers.append(Answer.fault(fault, id: id).json)
            case .request(let request): answers.append(answer(to: request).json)
            }
        }
        return answers.isEmpty ? nil : Array(JSON.array(answers).text.utf8)
    }

    private func answer(to request: Request) -> Answer {
        do throws(Fault) {
            guard request.method != "initialize", !request.isStateless else {
                throw Fault(.invalidRequest, "This request does not belong into a batch.")
            }
            switch try outcome(of: request, in: .handshake) {
            case .result(let members): return .result(members, id: request.id)
            case .wait(let name, _):
                return .result(ToolResult(desk.state(of: name, waitingSeconds: 0)).members, id: request.id)
            }
        } catch {
            return .fault(error, id: request.id)
        }
    }
}
