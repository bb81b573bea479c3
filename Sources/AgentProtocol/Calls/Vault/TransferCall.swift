/// Writes the whole vault to a file, for another machine. The vault stays in use if it `isKept`.
package struct TransferCall: AgentCall {
    package typealias Reply = WarningReply
    package static let verb = Verb.transfer
    package var path = ""
    package var isKept = false
    package var usesVault: Bool { true }

    package init() {}

    package init(_ path: String, isKept: Bool) { (self.path, self.isKept) = (path, isKept) }

    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try coder.text("path", &path)
        try coder.flagIfTrue("keep", &isKept)
    }

    package func purpose(usual: ItemPolicy) -> RequestPurpose {
        RequestPurpose("\(isKept ? "copy" : "move") the whole vault to a file", [.note("File", path)])
    }
}
