public import AccessPolicy
internal import LivePage
internal import SecretVault

/// A decision about a file, with its rule.
public struct FileDecisionRecord: Sendable, CustomStringConvertible {
    /// The app that made the access.
    public let app: String
    /// The access, with the class of the file.
    public let access: FileAccess
    /// The path by which the app named the file.
    public let path: String
    /// True if the access was granted.
    public let isGranted: Bool
    /// The rule that granted or denied the access.
    public let rule: FileRule
    /// The time on the device's clock.
    public let time: Duration

    init(_ watched: WatchedFileDecision) {
        app = watched.caller
        access = watched.access
        path = watched.path
        isGranted = watched.decision.isGranted
        rule = watched.decision.rule
        time = .milliseconds(watched.at.milliseconds)
    }

    /// The access, the outcome and the reason.
    public var description: String {
        let way = isGranted || rule.remedy == .nothing ? "" : "; remedy: \(rule.remedy.text)"
        let outcome = isGranted ? "granted" : "denied"
        return "\(access.inWords) \(path): \(outcome) by \(rule.identifier): \(rule.summary)\(way)"
    }
}
