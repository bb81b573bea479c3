/// Signs one login by SSH with the key that this connection lends. The host has to have signed the connection of the login.
package struct SignLoginCall: AgentCall {
    package static let verb = Verb.signLogin
    /// The key of the host, as SSH has it.
    package var hostKey: [UInt8] = []
    /// The identifier of the connection to the host.
    package var session: [UInt8] = []
    /// The signature of the identifier by the host.
    package var hostSignature: [UInt8] = []
    /// The login, as an SSH client wants it signed.
    package var login: [UInt8] = []
    /// The flags of the client, which choose the hash of an RSA signature.
    package var flags: UInt32 = 0
    /// A borrower that goes on calling does not keep the vault unlocked.
    package var usesVault: Bool { false }
    package var counts: Counting { .nothing }

    package init() {}

    package init(hostKey: [UInt8], session: [UInt8], hostSignature: [UInt8], login: [UInt8], flags: UInt32) {
        (self.hostKey, self.session, self.hostSignature) = (hostKey, session, hostSignature)
        (self.login, self.flags) = (login, flags)
    }

    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try coder.bytes("host-key", &hostKey)
        try coder.bytes("session", &session)
        try coder.bytes("host-signature", &hostSignature)
        try coder.bytes("login", &login)
        try coder.number("flags", &flags)
    }

    package func purpose(usual: ItemPolicy) -> RequestPurpose { RequestPurpose("log in with a key that is lent") }

    package struct Reply: CallReply, WireValue, Hashable {
        /// The number of the use.
        package var number = 0
        /// The signature, as SSH sends it.
        package var signature: [UInt8] = []

        package init() {}

        package init(number: Int, signature: [UInt8]) { (self.number, self.signature) = (number, signature) }

        package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
            try coder.number("number", &number)
            try coder.bytes("signature", &signature)
        }
    }
}
