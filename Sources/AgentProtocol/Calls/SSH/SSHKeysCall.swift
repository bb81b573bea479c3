/// Lists the keys that SSH clients see, and says where they connect.
package struct SSHKeysCall: LookingCall {
    package typealias Part = SSHKeyEntry
    package static let verb = Verb.sshKeys

    package init() {}

    /// The answer after the keys.
    package struct Reply: CallReply, WireValue, Hashable {
        /// The number of keys.
        package var count = 0
        /// The folder with the files of the public keys.
        package var folder = ""
        /// The path at which SSH clients connect; nil if the agent cannot listen there.
        package var socket: String?

        package init() {}

        package init(count: Int, folder: String, socket: String?) {
            (self.count, self.folder, self.socket) = (count, folder, socket)
        }

        package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
            try coder.number("count", &count)
            try coder.text("folder", &folder)
            try coder.textIfSaid("socket", &socket)
        }
    }
}
