internal import CSandbox
internal import Glibc
internal import LinuxSystem

extension Sandbox {
    /// Tries ways to the owner's things from inside the namespaces of the sandbox, with the rights of its command. Returns for each thing
    /// if it is kept out. Call it before ``start()``; later it returns nothing, because it must not be inside together with a command.
    package func check() -> [SandboxFact] {
        let facts = whileHeld { () -> [SandboxFact] in
            let canaries = Canaries()
            let things = tried(with: canaries)
            let ways = things.flatMap(\.ways)
            let spaces = spaces.inOrder(withNetwork: !plan.sharesNetwork)
            // The thread that started the sandbox has its session keyring.
            var results = keeper.run { Way.tryAll(ways, in: spaces) }[...]
            return things.map { thing in
                defer { results = results.dropFirst(thing.ways.count) }
                let reached = results.prefix(thing.ways.count).map { thing.isReached($0) }
                return SandboxFact(what: thing.what, isKeptOut: reached.allSatisfy { $0 == false })
            }
        }
        return facts ?? []
    }

    /// A thing, the ways to it, and what the outcome of a way says of it: true if it was reached, nil if that is unknown.
    private struct Tried: Sendable {
        let what: String
        let ways: [Way]
        var isReached: @Sendable (Bool?) -> Bool? = { $0 }
    }

    private func tried(with canaries: Canaries?) -> [Tried] {
        let given = arguments.bound.map(\.path) + plan.reads + [plan.sockets].compactMap { $0 }
        let files = OwnersThings.files(in: Owner().homes, but: given)
        let processes = OwnersThings.processes()
        return OwnersThings.sockets().map { Tried(what: $0.what, ways: [.socket($0.path)]) } + own(canaries) + [
            Tried(what: "the files of your home folder", ways: files.map { .file($0) }),
            Tried(
                what: "your processes",
                ways: processes.map { Way(kind: latchkey_signal_process_number, number: $0) }),
            Tried(
                what: "the memory and the environment of your processes",
                ways: processes.flatMap { [Way.file("/proc/\($0)/environ"), .file("/proc/\($0)/mem")] }),
        ]
    }

    /// Returns the things for which there are canaries.
    private func own(_ canaries: Canaries?) -> [Tried] {
        let (sockets, ports) = (SandboxFact.abstractSockets, SandboxFact.loopbackPorts)
        let socket = Way(kind: latchkey_connect_unix, bytes: canaries?.name ?? [0, 0])
        let port = Way(kind: latchkey_connect_loopback, number: Int32(canaries?.port ?? 0))
        guard let canaries else {
            // Without something to reach, nothing is known.
            return [(sockets, socket), (ports, port)].map { what, way in
                Tried(what: what, ways: [way], isReached: { _ in nil })
            }
        }
        let keys = canaries.key > 0 ? [Way(kind: latchkey_read_key, number: canaries.key)] : []
        return [
            Tried(what: sockets, ways: [socket], isReached: { $0.map { $0 || canaries.hasCallAtSocket } }),
            Tried(what: ports, ways: [port], isReached: { $0.map { _ in canaries.hasCallAtPort } }),
            Tried(what: "the keys of your session", ways: keys),
        ]
    }
}
