/// Lists the enrolled fingers or faces.
package struct EnrolledCall: LookingCall {
    package static let verb = Verb.enrolled

    package init() {}

    /// The enrolled fingers or faces.
    package struct Reply: CallReply, WireValue, Hashable {
        /// The names of the fingers or faces.
        package var enrolled: [String] = []

        package init() {}

        package init(_ enrolled: [String]) { self.enrolled = enrolled }

        package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
            try coder.texts("enrolled", &enrolled)
        }
    }
}
