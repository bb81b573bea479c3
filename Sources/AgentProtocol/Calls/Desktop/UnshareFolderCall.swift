/// Ends showing a folder as a collection. Its secrets stay.
package struct UnshareFolderCall: AgentCall {
    package static let verb = Verb.unshareFolder
    package var folder = ""
    package var usesVault: Bool { true }

    package init() {}

    package init(_ folder: String) { self.folder = folder }

    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try coder.text("folder", &folder)
    }

    package func purpose(usual: ItemPolicy) -> RequestPurpose {
        RequestPurpose("hide a folder of secrets from desktop programs")
    }
}
