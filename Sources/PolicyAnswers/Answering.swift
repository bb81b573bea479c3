package import PlainText

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
///
/// A search of every policy calls `progress` with the number of policies that it has searched, again and again.
package func answer(_ request: [UInt8], progress: (Int) -> Void = { _ in }) -> [UInt8] {
    let reply: JSON
    do throws(QuestionError) {
        reply = .object(["answer": try answer(request, progress)])
    } catch {
        reply = .object(["error": .string(error.description)])
    }
    return Array(reply.text.utf8)
}

/// Returns the members of the proof that a request of the question `prove` gets.
///
/// - Throws: ``QuestionError``, which names the wrong word.
package func proof(of request: [UInt8]) throws(QuestionError) -> [String: JSON] {
    var members = try Members(try read(request))
    let proof = try proof(&members)
    try members.finish()
    guard case .object(let answer) = proof else { preconditionFailure("a proof is an object") }
    return answer
}

private func read(_ bytes: [UInt8]) throws(QuestionError) -> JSON {
    do throws(JSON.SyntaxError) { return try JSON(bytes) } catch {
        throw QuestionError("the request is not JSON: \(error.what), at byte \(error.position)")
    }
}

private func answer(_ bytes: [UInt8], _ progress: (Int) -> Void) throws(QuestionError) -> JSON {
    var members = try Members(try read(bytes))
    let questions = Question.allCases.map { ($0.rawValue, $0) }
    guard let question = try members.word("ask", "question", among: questions) else {
        throw QuestionError("the request asks nothing: add \"ask\", \(enumerated(questions.map { $0.0 }))")
    }
    let answer =
        switch question {
        case .words: PageWords.answer
        case .policy: try PolicyAnswer(&members).json
        case .prove: try proof(&members)
        case .threats: try threats(&members)
        case .play: try play(&members)
        case .suggest: try suggestion(&members, progress)
        }
    try members.finish()
    return answer
}
