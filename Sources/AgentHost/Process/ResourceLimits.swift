package import AgentProtocol
internal import Glibc
internal import LinuxSystem
internal import SodiumKit

/// The resource limits of an agent. It inherits them from the shell of the command that starts it.
package struct ResourceLimits: Sendable {
    /// The need of an agent for one resource.
    private struct Need {
        let resource: LimitedResource
        let name: String
        /// The option of `ulimit` that shows it.
        let option: String
        var unit = Unit(size: 1, sign: "")
        /// The limit below which the agent does not start, because it would fail in the middle of its work.
        let least: UInt64
        /// The limit from which everything works.
        let enough: UInt64
        /// The consequence of a limit between the two.
        let consequence: String
    }

    private struct Unit {
        let size: UInt64
        let sign: String

        func text(_ limit: UInt64) -> String { "\(limit / size)\(sign)" }
    }

    private static let kibibytes = Unit(size: kibibyte, sign: " KiB")
    private static let kibibyte: UInt64 = 1024
    private static let mebibyte = 1024 * kibibyte
    private static let gibibyte = 1024 * mebibyte

    private static var needs: [Need] {
        [
            Need(
                resource: .openFiles, name: "open files", option: "n",
                least: UInt64(ownFiles) + 32,
                enough: UInt64(ownFiles + 2 * WireLimits.clients),
                consequence: "it serves fewer than \(WireLimits.clients) clients at a time"),
            Need(
                resource: .lockedMemory, name: "locked memory", option: "l",
                unit: kibibytes,
                least: 64 * kibibyte, enough: 2 * mebibyte,
                consequence: "it refuses long secrets, and several secrets at a time"),
            Need(
                resource: .fileSize, name: "file size", option: "f", unit: kibibytes,
                least: 8 * mebibyte, enough: gibibyte,
                consequence: "a vault that needs a larger file accepts nothing more"),
            // One check of the passcode takes 256 MiB, and the address space for keys is reserved at once.
            Need(
                resource: .addressSpace, name: "address space", option: "v", unit: kibibytes,
                least: gibibyte, enough: 8 * gibibyte,
                consequence: "there is no memory for many clients at a time, or for large secrets"),
            Need(
                resource: .data, name: "data", option: "d", unit: kibibytes,
                least: 512 * mebibyte, enough: 4 * gibibyte,
                consequence: "there is no memory for many clients at a time, or for large secrets"),
            Need(
                resource: .processorTime, name: "processor time", option: "t",
                unit: Unit(size: 1, sign: " s"), least: 10, enough: .max,
                consequence: "the system ends it after so many seconds of work; the next command starts another"),
            Need(
                resource: .processes, name: "processes", option: "u", least: 0,
                enough: 1024,
                consequence: "it refuses clients while you run many other programs"),
        ]
    }

    /// The number of files that the agent may open besides its clients: those of the vault, of PAM, a sensor and a
    /// backup.
    private static let ownFiles = 64

    /// The limits that are too low for full service, each with its consequence and the command that shows it.
    package let troubles: [String]
    /// The number of clients that can be served at a time.
    let clients: Int

    /// Raises every limit as far as the system allows. Throws if one is too low for an agent.
    package init() throws(AgentError) {
        var troubles: [String] = []
        for need in Self.needs {
            let raised = need.resource.raise()
            // A privileged process may lock more memory than its limit says.
            let limit = need.resource == .lockedMemory ? UInt64(LockedMemory.capacity) : raised
            if limit >= need.enough { continue }
            let found = "the agent's limit of \(need.name) is \(need.unit.text(limit)) (`ulimit -H\(need.option)`)"
            if limit < need.least {
                throw AgentError(
                    .agent,
                    "\(found), and it needs \(need.unit.text(need.least)): raise it, or start the agent elsewhere "
                        + "(`systemctl --user start latchkey-agent`)")
            }
            troubles.append("\(found): \(need.consequence)")
        }
        self.troubles = troubles
        let files = LimitedResource.openFiles.raise()
        clients = min(WireLimits.clients, Int(min(files, 1 << 20) - UInt64(Self.ownFiles)) / 2)
        // A write to a file at its size limit now fails with an error instead of ending the process.
        signal(SIGXFSZ, SIG_IGN)
    }
}
