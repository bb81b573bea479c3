/// A version of the Model Context Protocol.
enum ProtocolVersion: String, CaseIterable, Sendable {
    case november2024 = "2024-11-05"
    case march2025 = "2025-03-26"
    case june2025 = "2025-06-18"
    case november2025 = "2025-11-25"
    case july2026 = "2026-07-28"

    /// The two ways to begin.
    enum Era: Sendable {
        /// A handshake at the start tells both sides the version.
        case handshake
        /// Every request says its version.
        case stateless
    }

    var era: Era {
        switch self {
        case .november2024, .march2025, .june2025, .november2025: .handshake
        case .july2026: .stateless
        }
    }

    /// True if a message may be an array of messages. It was so in one version only.
    var hasBatches: Bool { self == .march2025 }

    /// The version that a server offers in a handshake to a client that wants one it does not know.
    static let latestByHandshake = ProtocolVersion.november2025
    /// The version of a request by HTTP that says none, because earlier versions had no field for it.
    static let unsaid = ProtocolVersion.march2025

    /// The names of all versions, the latest first.
    static var names: [String] { allCases.reversed().map { $0.rawValue } }
}
