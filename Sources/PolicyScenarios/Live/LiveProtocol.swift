internal import LivePage
internal import ScenarioFormat

/// The parts of the live protocol that follow from the format of scenarios.
package enum LiveProtocol: Sendable {
    /// The JSON Schema of every request and every reply.
    package static var schema: String {
        JSONSchema.live(
            title: "Latchkey's live protocol", replies: LiveDefinitions.all,
            bodies: (LiveRequest.device.body ?? "", LiveRequest.steps.body ?? ""),
            others: [(LiveRequest.prove.body ?? "", LiveProver.schema)])
    }

    /// A small device to begin with.
    package static let example = """
        name: an iPhone with two items
        device: iPhoneWithTouchID
        people:
          thief: { fingers: [left thumb], passcode: "1234" }
        items:
          token: { accessible: whenPasscodeSetThisDeviceOnly, require: biometryCurrentSet }
          spare: { accessible: whenUnlockedThisDeviceOnly, require: biometryAny or devicePasscode }
        files:
          journal: complete
        """
}
