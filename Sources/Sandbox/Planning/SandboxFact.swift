/// A way to the owner's things that was tried from inside a sandbox.
package struct SandboxFact: Hashable, Sendable {
    /// The thing at the end of the way, such as "the loopback ports of the machine".
    package var what: String
    /// True if the way was tried and does not lead there. It is false if it could not be tried.
    package var isKeptOut: Bool

    /// The things that a sandbox with the network of the machine cannot keep out.
    package static let ofNetwork = [abstractSockets, loopbackPorts]
    static let abstractSockets = "the abstract sockets of the machine"
    static let loopbackPorts = "the loopback ports of the machine"

    package init(what: String, isKeptOut: Bool) {
        self.what = what
        self.isKeptOut = isKeptOut
    }
}
