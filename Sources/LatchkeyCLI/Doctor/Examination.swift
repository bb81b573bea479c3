internal import Glibc
internal import LatchkeyAgent
internal import LinuxSystem
internal import PlainText
internal import PolicyScenarios
internal import UserPresence

/// One thing that was looked at.
struct Finding {
    /// What was looked at.
    let what: String
    /// How it is.
    let says: String
    /// What to do about it; nil where it is as it should be.
    var fix: String?

    static func good(_ what: String, _ says: String) -> Finding { Finding(what: what, says: says) }
    static func bad(_ what: String, _ says: String, fix: String) -> Finding {
        Finding(what: what, says: says, fix: fix)
    }
}

/// Looks at everything around a vault that keeps it from working, or from being safe.
struct Examination {
    private let place: AgentPlace
    private let vault: String?

    /// Creates the examination of the vault in the folder that the command line names.
    init(_ vault: String?) throws {
        self.vault = vault
        place = try VaultAccess.place(vault)
    }

    /// Everything, in the order in which one depends on the other.
    var findings: [Finding] {
        files + [settings] + pam + [socketFolder] + agent
    }

    // MARK: - Files

    private var files: [Finding] {
        var findings: [Finding] = []
        var trouble: [Finding] = []
        for (name, isFolder) in [("", true), ("vault.db", false), ("device", false), ("lock", false)] {
            let path = name.isEmpty ? place.vault : "\(place.vault)/\(name)"
            var status = stat()
            guard lstat(path, &status) == 0 else {
                trouble.append(
                    .bad(
                        "files", "\(path): \(SystemError.last)",
                        fix: "put it back from a copy, or restore a backup into a new vault"))
                continue
            }
            if status.st_uid != geteuid() {
                trouble.append(
                    .bad("files", "\(path) belongs to user \(status.st_uid)", fix: "chown \(geteuid()) \(path)"))
            } else if status.st_mode & 0o077 != 0 {
                trouble.append(
                    .bad("files", "\(path) is open to others", fix: "chmod \(isFolder ? "700" : "600") \(path)"))
            } else if status.st_mode & (isFolder ? 0o700 : 0o600) != (isFolder ? 0o700 : 0o600) {
                trouble.append(
                    .bad(
                        "files", "you may not read and write \(path)",
                        fix: "chmod \(isFolder ? "u+rwx" : "u+rw") \(path)"))
            }
        }
        if trouble.isEmpty { findings.append(.good("files", "\(place.vault) is yours alone")) }
        return findings + trouble
    }

    private var settings: Finding {
        do throws(AgentError) {
            _ = try VaultSettings(of: place)
            return .good("settings", "understood")
        } catch {
            return .bad("settings", "\(error)", fix: "mend the file, or remove it for the usual settings")
        }
    }

    // MARK: - PAM

    private var pam: [Finding] {
        guard let pam = (try? VaultSettings(of: place))?.pam else {
            return [.good("PAM", "not asked: the passcode is the vault's own")]
        }
        let path = "\(pam.folder)/\(pam.service)"
        if let trouble = PAMAuthenticator(service: pam.service, folder: pam.folder).trouble {
            return [
                .bad(
                    "PAM", "\(trouble)",
                    fix: "see docs/pam.md: the service, its modules and all folders above belong to root or you")
            ]
        }
        var findings: [Finding] = [.good("PAM", "\(path) can be believed")]
        // What checks a login password for somebody who is not root is a program of its own, with rights of its own.
        if geteuid() != 0, let helper = Self.helper {
            var status = stat()
            if stat(helper, &status) == 0, status.st_mode & (S_ISGID | S_ISUID) == 0 {
                findings.append(
                    .bad("PAM", "\(helper) has lost its rights", fix: "apt-get install --reinstall libpam-modules-bin"))
            }
            if Self.cannotGainRights {
                findings.append(
                    .bad(
                        "PAM",
                        "this process may not gain rights (no_new_privs), so that PAM's helper cannot check anything",
                        fix: "run it outside of what sets that, such as a sandbox or a unit with NoNewPrivileges"))
            }
        }
        return findings
    }

    private static var helper: String? {
        ["/usr/sbin/unix_chkpwd", "/sbin/unix_chkpwd"].first { access($0, F_OK) == 0 }
    }

    private static var cannotGainRights: Bool {
        guard let status = try? SmallFile.text("/proc/self/status") else { return false }
        return status.split(separator: "\n").contains { $0.hasPrefix("NoNewPrivs:") && $0.hasSuffix("1") }
    }

    // MARK: - The process

    /// The keys of a vault, and what many clients send at a time.
    private static let enoughLocked: UInt64 = 2 * 1024 * 1024

    private var lockedMemory: Finding {
        let limit = LimitedResource.lockedMemory.limit.current
        if geteuid() == 0 || limit == .max { return .good("locked memory", "no limit") }
        let text = "\(limit / 1024) KiB may be locked"
        return limit >= Self.enoughLocked
            ? .good("locked memory", text)
            : .bad(
                "locked memory", "\(text), and \(Self.enoughLocked / 1024) are needed at times",
                fix: "raise memlock in /etc/security/limits.conf")
    }

    private var socketFolder: Finding {
        let folder = String(place.socket[..<(place.socket.lastIndex(of: "/") ?? place.socket.startIndex)])
        do throws(AgentError) {
            try place.checkSocketFolder()
            return .good("socket", place.socket)
        } catch {
            return .bad("socket", "\(error)", fix: "make \(folder) a folder of yours alone, or set XDG_RUNTIME_DIR")
        }
    }

    // MARK: - The agent

    private var agent: [Finding] {
        let status: StatusReport
        do {
            let access = try VaultAccess(vault, mayAsk: false)
            var head = try access.client.ask(.status, of: nil).head
            status = try StatusReport(reading: &head)
        } catch {
            // An agent that comes up says itself which limits are low.
            return [
                lockedMemory,
                .bad("agent", "\(error)", fix: "latchkey agent, run by itself, says why it does not come up"),
            ]
        }
        var findings: [Finding] = [.good("agent", "process \(status.process) answers")]
        findings.append(
            status.clockBehind < 60
                ? .good("clock", "goes forward")
                : .bad(
                    "clock", "it is \(counted(status.clockBehind, "second")) behind what the vault has seen",
                    fix: "set it right (timedatectl); until then no time passes for the vault"))
        findings.append(
            status.sleepTrouble.map {
                .bad("sleep", $0, fix: "latchkey lock before you let the machine sleep, or run it where logind is")
            } ?? .good("sleep", "the vault is locked before the machine sleeps"))
        if status.limitTroubles.isEmpty {
            findings.append(.good("limits", "the system lets the agent have what it needs"))
        }
        findings += status.limitTroubles.map {
            .bad(
                "limits", $0,
                fix:
                    "raise it (/etc/security/limits.conf, or the shell's ulimit), log in again, and latchkey agent stop"
            )
        }
        if let log = SettingsCommand.words(status.log) { findings.append(.good("log", log)) }
        if status.sensor == "none" {
            findings.append(.good("sensor", "none"))
        } else if let trouble = status.sensorTrouble {
            findings.append(.bad("sensor", trouble, fix: "see docs/sensors.md; without it the passcode does"))
        } else if status.isSensorFake {
            findings.append(
                .bad(
                    "sensor", "it is a FAKE one, which anybody can pass",
                    fix: "for real secrets make a vault without --fake-biometry"))
        } else {
            findings.append(
                .good("sensor", "\(status.sensor), knows \(counted(status.enrolled.count, "person", "people"))"))
        }
        return findings
    }
}

/// A file that is read at once, such as those that the system makes up.
enum SmallFile {
    static func text(_ path: String) throws -> String {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw AgentError(.vault, "\(path): \(SystemError.last)") }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 64 * 1024)
        let count = max(0, read(file, &bytes, bytes.count))
        return String(decoding: bytes[..<count], as: UTF8.self)
    }
}
