/// The side of a proxy from which bytes come.
package enum WireSide: Hashable, Sendable, CaseIterable {
    /// The client, which sends requests.
    case request
    /// The server, which sends responses.
    case response
}

/// The error of this module: bytes that are refused, with the reason and what the client gets.
///
/// It holds none of the refused bytes, so it can be logged.
///
///     catch let refusal { log("\(refusal.status): \(refusal)") }
package struct WireRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// The side whose bytes are refused.
    package let side: WireSide
    /// The reason.
    package let reason: RefusalReason

    /// Creates the refusal of a request or of a response.
    package init(_ side: WireSide, _ reason: RefusalReason) {
        self.side = side
        self.reason = reason
    }

    /// The status with which the client is answered. A server's mistake is always 502, or 504 if it was too slow.
    package var status: UInt16 {
        switch (side, reason) {
        case (.request, _): reason.status
        case (.response, .tooSlow): 504
        case (.response, _): 502
        }
    }

    /// The reason in a sentence, with the side that is at fault.
    package var description: String {
        switch side {
        case .request: "The request is refused: " + reason.sentence
        case .response: "The answer of the server is refused: " + reason.sentence
        }
    }
}
