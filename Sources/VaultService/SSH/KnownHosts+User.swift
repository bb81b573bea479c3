internal import AgentProtocol
internal import Glibc
internal import LinuxSystem
package import SSHProtocol

extension KnownHosts {
    /// The hosts that this user and this machine know.
    package static var ofTheUser: KnownHosts {
        let folder = homeOfTheUser + "/.ssh/"
        let files = [folder + "known_hosts", folder + "known_hosts2", "/etc/ssh/ssh_known_hosts"]
        return KnownHosts(files.map { SystemFile.regularBytes($0, atMost: longest) ?? [] })
    }

    /// The folder of the user: `HOME`, or else what the system has for the user.
    package static var homeOfTheUser: String {
        if let home = getenv("HOME"), home.pointee == Int8(UInt8(ascii: "/")) { return String(cString: home) }
        return getpwuid(geteuid())?.pointee.pw_dir.flatMap { String(validatingCString: $0) } ?? "/nonexistent"
    }
}
