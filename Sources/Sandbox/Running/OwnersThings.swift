internal import Glibc
internal import LinuxSystem

/// The things of the owner's that are on this machine now, and the ways to them.
enum OwnersThings: Sendable {
    /// Returns the sockets of the owner's and the system's services that exist, by their names for people.
    static func sockets() -> [(what: String, path: String)] {
        var found: [(what: String, path: String)] = []
        func add(_ what: String, _ path: String) {
            if isSocket(path) && !found.contains(where: { $0.path == path }) { found.append((what, path)) }
        }
        if let address = SystemPath.variable("DBUS_SESSION_BUS_ADDRESS"), address.hasPrefix("unix:path=") {
            add("the session bus", String(address.dropFirst(10).prefix { $0 != "," && $0 != ";" }))
        }
        if let path = SystemPath.variable("SSH_AUTH_SOCK") { add("the ssh agent", path) }
        if let folder = SystemPath.variable("XDG_RUNTIME_DIR") {
            add("the session bus", "\(folder)/bus")
            let usual = [
                "systemd/private", "gnupg/S.gpg-agent", "keyring/control", "podman/podman.sock", "pulse/native",
            ]
            for name in SystemPath.names(in: folder).sorted() + usual { add("the socket \(name)", "\(folder)/\(name)") }
        }
        add("the system bus", "/run/dbus/system_bus_socket")
        add("docker", "/run/docker.sock")
        return found
    }

    private static func isSocket(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
    }

    /// Returns files in the home folders, but none on the way to a path that the command has.
    static func files(in homes: [String], but given: [String]) -> [String] {
        let given = given.map { Place($0) }
        return homes.flatMap { home in SystemPath.names(in: home).map { "\(home)/\($0)" } }
            .filter { path in !given.contains { $0.isRelated(to: Place(path)) } }
    }

    /// Returns the numbers of processes outside, without the low ones, which processes inside have too.
    static func processes() -> [Int32] { SystemPath.names(in: "/proc").compactMap { Int32($0) }.filter { $0 > 32 } }
}
