/// Enrolls a finger or a face under a name.
package struct EnrollCall: NamedCall {
    package typealias Part = String
    package static let verb = Verb.enroll
    package static let parts = "say"
    package var name = ""
    package var usesVault: Bool { true }
    package var counts: Counting { .nothing }

    package init() {}

    package func purpose(usual: ItemPolicy) -> RequestPurpose { RequestPurpose("enroll a finger or a face") }
}
