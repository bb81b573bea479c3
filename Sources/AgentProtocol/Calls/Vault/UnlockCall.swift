/// Unlocks the vault by the passcode, or by the sensor.
package struct UnlockCall: AgentCall {
    package static let verb = Verb.unlock
    package var bySensor = false
    package var usesVault: Bool { true }
    package var counts: Counting { bySensor ? .nothing : .all }

    package init() {}

    package init(bySensor: Bool) { self.bySensor = bySensor }

    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try coder.flagIfTrue("sensor", &bySensor)
    }

    package func purpose(usual: ItemPolicy) -> RequestPurpose {
        RequestPurpose("unlock the vault", hasReasonOfClient: !bySensor)
    }
}
