internal import Glibc
internal import LinuxSystem

/// The parts of the system that every command gets, read-only.
enum SystemFolders: Sendable {
    /// Files of /etc that programs need and that say nothing of the owner. The private keys below /etc/ssl are not among them.
    private static let settings = [
        "alternatives", "ca-certificates", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime", "mime.types",
        "pki/ca-trust", "pki/tls/certs", "protocols", "services", "ssl/certs", "ssl/openssl.cnf",
    ]

    static func arguments(sharesNetwork: Bool) -> [String] {
        var arguments = ["--ro-bind", "/usr", "/usr"]
        for folder in ["/etc", "/etc/ssl", "/etc/pki", "/etc/pki/tls"] { arguments += ["--dir", folder] }
        for name in ["bin", "sbin", "lib", "lib32", "lib64", "libx32"] {
            let path = "/\(name)"
            var status = stat()
            guard lstat(path, &status) == 0 else { continue }
            if status.st_mode & S_IFMT == S_IFLNK, let target = SystemFile.target(of: path) {
                arguments += ["--symlink", target, path]
            } else {
                arguments += ["--ro-bind", path, path]
            }
        }
        for name in settings + (sharesNetwork ? ["resolv.conf", "hosts"] : []) {
            // The file may be a link to one in a folder that the command does not have.
            guard let real = realpath("/etc/\(name)") else { continue }
            arguments += ["--ro-bind", real, "/etc/\(name)"]
        }
        return arguments
    }

    /// Gives the command a /proc of its own processes, without its switches. Root's processes could use them even without rights.
    static var processes: [String] {
        var arguments = ["--proc", "/proc"]
        for name in ["sys", "sysrq-trigger", "irq", "bus", "fs", "mtrr"] {
            arguments += ["--ro-bind-try", "/proc/\(name)", "/proc/\(name)"]
        }
        for name in ["acpi", "scsi", "asound", "driver"] where access("/proc/\(name)", F_OK) == 0 {
            arguments += ["--tmpfs", "/proc/\(name)", "--remount-ro", "/proc/\(name)"]
        }
        // The keys of the user, and the memory of the system.
        for name in ["keys", "key-users", "kcore", "kmsg", "timer_list"] where access("/proc/\(name)", F_OK) == 0 {
            arguments += ["--ro-bind", "/dev/null", "/proc/\(name)"]
        }
        return arguments
    }

    /// Returns files of /etc that are written for the command: their names and their texts.
    static func written(for owner: Owner, sharesNetwork: Bool) -> [(name: String, text: String)] {
        let (user, group) = (getuid(), getgid())
        return [
            ("passwd", "\(owner.name):x:\(user):\(group)::\(owner.home):/bin/sh\n"),
            ("group", "\(owner.name):x:\(group):\n"),
            ("nsswitch.conf", "passwd: files\ngroup: files\nhosts: files dns\n"),
        ] + (sharesNetwork ? [] : [("hosts", "127.0.0.1 localhost\n")])
    }
}
