internal import Glibc
internal import LinuxSystem

/// The check of the paths that a plan brings into a sandbox.
struct PlaceCheck: Sendable {
    private let homes: [Place]
    private let guarded: [Place]

    /// Folders with the system's own files, where there is no work of an owner.
    private static let systems = ["/usr", "/etc", "/boot"].map { Place($0) }
    /// Folders of processes, devices and sockets. Nothing in them may be in a sandbox.
    private static let live = ["/proc", "/sys", "/dev", "/run", "/var/run"].map { Place($0) }
    /// Folders that many programs share. A folder in them may be in a sandbox.
    private static let shared = ["/tmp", "/var/tmp", "/var/lib", "/etc"].map { Place($0) }

    init(_ plan: SandboxPlan, of owner: Owner) {
        func places(_ paths: [String]) -> [Place] {
            paths.filter { !$0.isEmpty }.flatMap { [$0, realpath($0)].compactMap { $0 } }.map { Place($0) }
        }
        homes = places(owner.homes)
        let variables = ["SSH_AUTH_SOCK", "GNUPGHOME", "XDG_RUNTIME_DIR"].compactMap { SystemPath.variable($0) }
        guarded = places(plan.guarded + variables + owner.homes.flatMap { ["\($0)/.ssh", "\($0)/.gnupg"] })
    }

    /// Returns the folder that the command may write to.
    func work(_ path: String) throws(SandboxError) -> BoundFile {
        let file = try existing(path)
        guard file.kind == S_IFDIR else { throw .refused(path: path, why: "is not a folder") }
        try refuseShared(file.path, path)
        if Self.systems.contains(where: { $0.holds(Place(file.path)) }) {
            throw .refused(path: path, why: "belongs to the system: work in a folder of your own")
        }
        return file
    }

    /// Returns a file or folder that the command may read.
    func read(_ path: String) throws(SandboxError) -> BoundFile {
        let file = try existing(path)
        guard file.kind == S_IFDIR || file.kind == S_IFREG else {
            throw .refused(path: path, why: "is no plain file and no folder")
        }
        try refuseShared(file.path, path)
        return file
    }

    private func existing(_ path: String) throws(SandboxError) -> BoundFile {
        guard path.utf8.first == UInt8(ascii: "/") else {
            throw .refused(path: path, why: "is not an absolute path: begin it with a slash")
        }
        do { return try BoundFile(path) } catch { throw .refused(path: path, why: "cannot be found: \(error)") }
    }

    private func refuseShared(_ real: String, _ path: String) throws(SandboxError) {
        let place = Place(real)
        if homes.contains(where: { place.holds($0) }) {
            throw .refused(path: path, why: "holds your home folder, with your keys and vaults: name a folder in it")
        }
        if let found = guarded.first(where: { place.isRelated(to: $0) }) {
            let what = place.holds(found) ? "holds" : "is in"
            throw .refused(path: path, why: "\(what) a folder of your keys, vaults or sockets: name another folder")
        }
        if Self.live.contains(where: { place.isRelated(to: $0) }) || Self.shared.contains(where: { place.holds($0) }) {
            throw .refused(path: path, why: "holds files or sockets of other programs: name another folder")
        }
    }
}
