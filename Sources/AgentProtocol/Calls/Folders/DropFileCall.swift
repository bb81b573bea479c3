/// Seals a copy of the file at `path`, and moves it into an encrypted folder once that is open.
package struct DropFileCall: AgentCall {
    package static let verb = Verb.dropFile
    package var path = ""
    package var identifier = ""
    package var usesVault: Bool { false }

    package init() {}

    package init(_ path: String, into identifier: String) { (self.path, self.identifier) = (path, identifier) }

    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try coder.text("path", &path)
        try coder.text("identifier", &identifier)
    }

    package func purpose(usual: ItemPolicy) -> RequestPurpose { RequestPurpose("move a file into a protected folder") }

    /// The place of the copy.
    package struct Reply: CallReply, WireValue, Hashable {
        /// True if it is in the folder; false if it waits until that is open.
        package var isMoved = false

        package init() {}

        package init(isMoved: Bool) { self.isMoved = isMoved }

        package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
            try coder.flag("moved", &isMoved)
        }
    }
}
