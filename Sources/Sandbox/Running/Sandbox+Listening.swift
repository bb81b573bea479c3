internal import CSandbox
internal import LinuxSystem

extension Sandbox {
    /// Listens on a port of 127.0.0.1 inside the sandbox; of the machine if the plan shares the network. Returns the descriptor to
    /// accept connections from, which the caller has to close, and the port.
    ///
    /// - Parameter port: The port; nil for any free one.
    /// - Throws: ``SandboxError`` if the port is taken, or the sandbox has ended.
    package func listen(onLoopback port: UInt16?) throws(SandboxError) -> (descriptor: Int32, port: UInt16) {
        var (taken, descriptor) = (port ?? 0, Int32(-1))
        let code = latchkey_listen_on_loopback(
            plan.sharesNetwork ? -1 : spaces.owner, spaces.network, &taken, &descriptor)
        guard code == 0 else { throw .port(port ?? 0, SystemError(code)) }
        return (descriptor, taken)
    }
}
