/// Removes an enrolled finger or face.
package struct RemoveEnrolledCall: NamedCall {
    package static let verb = Verb.removeEnrolled
    package var name = ""
    package var usesVault: Bool { true }
    package var counts: Counting { .nothing }

    package init() {}

    package func purpose(usual: ItemPolicy) -> RequestPurpose { RequestPurpose("remove an enrolled finger or face") }
}
