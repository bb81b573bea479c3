internal import CSandbox
internal import Glibc
internal import LinuxSystem

/// Open descriptors of the namespaces of a sandbox. The system gives the number of a namespace to another one as soon as nothing holds
/// it.
final class Spaces: Sendable {
    /// The user namespace that owns the others. With it a process has every right in them.
    let owner: Int32
    let network: Int32
    /// The other ones in the order in which to enter them after `owner` and `network`; the last is the command's user namespace.
    private let others: [Int32]

    /// Opens the namespaces of a process.
    init(of process: Int32) throws(SandboxError) {
        var opened: [Int32] = []
        for name in ["net", "mnt", "ipc", "uts", "cgroup", "pid", "user"] {
            let space = LinuxSystem.open("/proc/\(process)/ns/\(name)", O_RDONLY | O_CLOEXEC)
            guard space >= 0 else {
                let error = SystemError.last
                for space in opened { close(space) }
                throw .system("open its namespaces", error)
            }
            opened.append(space)
        }
        // The namespace of the mounts has the same owner as the network, unless that is the machine's.
        owner = latchkey_owner_of_namespace(opened[1])
        network = opened[0]
        others = Array(opened[1...])
        guard owner >= 0 else { throw .system("find the owner of its namespaces", .last) }
    }

    deinit { for space in [owner, network] + others where space >= 0 { close(space) } }

    /// The namespaces in the order in which to enter them. The machine's network cannot be entered, and need not be.
    func inOrder(withNetwork: Bool) -> [Int32] { [owner] + (withNetwork ? [network] : []) + others }
}
