/// Removes everything that is enrolled, and takes the sensor into use anew.
package struct ResetSensorCall: AgentCall {
    package static let verb = Verb.resetSensor
    package var usesVault: Bool { true }
    package var counts: Counting { .nothing }

    package init() {}

    package func purpose(usual: ItemPolicy) -> RequestPurpose {
        RequestPurpose("remove all enrolled fingers and faces")
    }
}
