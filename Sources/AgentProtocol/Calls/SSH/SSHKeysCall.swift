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
        /// The reason why the agent cannot listen for them; nil if it can.
        package var trouble: String?

        package init() {}

        package init(count: Int, folder: String, socket: String?, trouble: String? = nil) {
            (self.count, self.folder, self.socket, self.trouble) = (count, folder, socket, trouble)
        }

        package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
            try coder.number("count", &count)
            try coder.text("folder", &folder)
            try coder.textIfSaid("socket", &socket)
            try coder.textIfSaid("trouble", &trouble)
        }
    }
}
