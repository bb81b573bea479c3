/// Renames a secret, or every secret in a folder, in one step; leaves the original and makes a copy if it `copies`.
package struct MoveCall: AgentCall {
    package static let verb = Verb.move
    package var name = ""
    package var other = ""
    package var isFolder = false
    package var copies = false
    package var subject: CallSubject? { isFolder ? nil : .secret(name) }
    package var usesVault: Bool { true }

    package init() {}

    package init(_ name: String, to other: String, isFolder: Bool, copies: Bool) {
        (self.name, self.other, self.isFolder, self.copies) = (name, other, isFolder, copies)
    }

    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try coder.text("name", &name)
        try coder.text("new-name", &other)
        try coder.flagIfTrue("folder", &isFolder)
        try coder.flagIfTrue("copy", &copies)
    }

    package func purpose(usual: ItemPolicy) -> RequestPurpose {
        .inWordsOfClient(
            "\(copies ? "copy" : "rename") a \(isFolder ? "folder of secrets" : "secret")",
            (isFolder ? [.note("Folder", name)] : []) + [.note("New name", other)])
    }

    /// The reply after secrets were moved or copied.
    package struct Reply: CallReply, WireValue, Hashable {
        /// The number of secrets that were moved or copied.
        package var count = 0

        package init() {}

        package init(count: Int) { self.count = count }

        package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
            try coder.number("count", &count)
        }
    }
}
