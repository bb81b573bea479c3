/// Deletes every secret in a folder in one step, but only if there are `count` of them. The deletions can be undone for a while,
/// unless it `isFinal`.
package struct RemoveFolderCall: AgentCall {
    package static let verb = Verb.removeFolder
    package var name = ""
    package var count: Int?
    package var isFinal = false
    package var usesVault: Bool { true }

    package init() {}

    package init(_ name: String, count: Int?, isFinal: Bool) {
        (self.name, self.count, self.isFinal) = (name, count, isFinal)
    }

    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try coder.text("name", &name)
        try coder.numberIfSaid("count", &count)
        try coder.flagIfTrue("final", &isFinal)
    }

    package func purpose(usual: ItemPolicy) -> RequestPurpose {
        .inWordsOfClient("delete a folder of secrets", [.note("Folder", name)])
    }

    /// The reply after a folder was deleted.
    package struct Reply: CallReply, WireValue, Hashable {
        /// The number of secrets that were deleted.
        package var count = 0
        /// The number of seconds for which the deletion can be undone; nil if it cannot.
        package var keptFor: Int?

        package init() {}

        package init(count: Int, keptFor: Int?) { (self.count, self.keptFor) = (count, keptFor) }

        package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
            try coder.number("count", &count)
            try coder.numberIfSaid("kept-for", &keptFor)
        }
    }
}
