/// Answers requests at a port itself, so that no server gets anything.
///
/// A courier calls it from the threads of its connections, up to 32 at a time.
package protocol PortAnswerer: Sendable {
    /// Answers one request. This may take minutes, if the owner has to answer a prompt.
    ///
    /// - Parameters:
    ///   - request: The head, with the fields that are no credential and no matter of the connection.
    ///   - body: The whole body: at most ``Courier/answeredBody`` bytes.
    func answer(_ request: RequestFacts, body: RawSpan) -> PortAnswer
}
