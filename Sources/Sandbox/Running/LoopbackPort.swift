internal import CSandbox
internal import LinuxSystem

/// A listening port of 127.0.0.1 on this machine, which every user of it can connect to.
package struct LoopbackPort: Sendable {
    /// The descriptor to accept connections from.
    package let descriptor: Int32
    package let number: UInt16

    /// Takes a free port. The caller has to close its descriptor.
    ///
    /// - Throws: ``SandboxError`` if there is none.
    package init() throws(SandboxError) {
        var (number, descriptor) = (UInt16(0), Int32(-1))
        let code = latchkey_listen_on_loopback(-1, -1, &number, &descriptor)
        guard code == 0 else { throw .port(0, SystemError(code)) }
        (self.descriptor, self.number) = (descriptor, number)
    }
}
