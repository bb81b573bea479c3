internal import PlainText

/// The questions about access policies that have an answer in JSON.
///
/// A request is an object whose member `ask` names the question. The answer is an object with the member `answer`, or
/// with the member `error`, a sentence that names the wrong word.
package enum Question: String, CaseIterable, Sendable {
    /// The words that requests may use, with their meaning.
    case words
    /// The meaning of one access policy.
    case policy
    /// A proof of one claim.
    case prove
    /// Everything that one profile can do.
    case threats
    /// The states and decisions of a device that people handle step by step.
    case play
    /// The policies that make a list of claims true.
    case suggest
}

/// Returns the answer to a request. Both are JSON in UTF-8.
package func answer(_ request: [UInt8]) -> [UInt8] {
    let reply: JSON
    do throws(RequestError) {
        reply = .object(["answer": try answer(request)])
    } catch {
        reply = .object(["error": .string(error.description)])
    }
    return Array(reply.text.utf8)
}

private func answer(_ bytes: [UInt8]) throws(RequestError) -> JSON {
    let request: JSON
    do throws(JSON.SyntaxError) {
        request = try JSON(bytes)
    } catch {
        throw RequestError("the request is not JSON: \(error.what), at byte \(error.position)")
    }
    var members = try Members(request)
    let questions = Question.allCases.map { ($0.rawValue, $0) }
    guard let question = try members.word("ask", "question", among: questions) else {
        throw RequestError("the request asks nothing: add \"ask\", \(enumerated(questions.map { $0.0 }))")
    }
    let answer =
        switch question {
        case .words: Vocabulary.answer
        case .policy: try PolicyAnswer(&members).json
        case .prove: try proof(&members)
        case .threats: try threats(&members)
        case .play: try play(&members)
        case .suggest: try suggestion(&members)
        }
    try members.finish()
    return answer
}
