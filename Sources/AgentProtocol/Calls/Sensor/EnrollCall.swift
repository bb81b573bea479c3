/// Enrolls a finger or a face under a name.
package struct EnrollCall: AgentCall {
    package static let verb = Verb.enroll
    package var name = ""
    package var usesVault: Bool { true }
    package var counts: Counting { .nothing }

    package init() {}

    package init(_ name: String) { self.name = name }

    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try coder.text("name", &name)
    }

    package func purpose(usual: ItemPolicy) -> RequestPurpose { RequestPurpose("enroll a finger or a face") }
}
