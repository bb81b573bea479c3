/// Tries the sensor: waits for one match.
package struct MatchCall: AgentCall {
    package typealias Reply = RawReply
    package static let verb = Verb.match
    package var usesVault: Bool { true }

    package init() {}

    package func purpose(usual: ItemPolicy) -> RequestPurpose { .inWordsOfClient("try the sensor") }
}
