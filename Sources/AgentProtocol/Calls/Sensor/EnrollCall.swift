/// Enrolls a finger or a face under a name.
package struct EnrollCall: NamedCall {
    package static let verb = Verb.enroll
    package var name = ""
    package var usesVault: Bool { true }
    package var counts: Counting { .nothing }

    package init() {}

    package func purpose(usual: ItemPolicy) -> RequestPurpose { RequestPurpose("enroll a finger or a face") }
}
