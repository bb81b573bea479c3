internal import AgentProtocol
internal import CommandLineKit
internal import Glibc
internal import LatchkeyCLI
internal import LinuxSystem
internal import PlainText
internal import PolicyScenarios
internal import UserPresence

/// The result of one check.
struct DoctorFinding {
    /// The subject of the check.
    let what: String
    /// The state of the subject.
    let says: String
    /// The repair; nil if there is no problem.
    var fix: String?
    /// True for what is not there, or not in use, and need not be.
    var isOff = false
    /// True if the state is unknown for now.
    var isOpen = false

    var word: String { fix != nil ? "bad" : isOpen ? "open" : isOff ? "off" : "good" }
    var tone: TextTable.Tone { fix != nil ? .bad : isOpen ? .plain : isOff ? .faint : .good }

    static func off(_ what: String, _ says: String) -> DoctorFinding {
        DoctorFinding(what: what, says: says, isOff: true)
    }
    static func good(_ what: String, _ says: String) -> DoctorFinding { DoctorFinding(what: what, says: says) }
    static func open(_ what: String, _ says: String) -> DoctorFinding {
        DoctorFinding(what: what, says: says, isOpen: true)
    }
    static func bad(_ what: String, _ says: String, fix: String) -> DoctorFinding {
        DoctorFinding(what: what, says: says, fix: fix)
    }
}

/// The checks of everything around a vault that can keep it from working, or from being safe.
struct Examination {
    private let place: AgentPlace
    private let status: Result<StatusReport, any Error>
    private let folders: [EncryptedFolderReport]
    private let desktop: SecretServiceReport?
    private let prompts: DoctorFinding
    /// The reason why the keys that SSH clients see cannot be listed.
    private let sshTrouble: (any Error)?

    /// Creates the checks of the vault in the folder that the command line names. Throws if there is no vault.
    init(_ vault: Given<VaultChoice>) throws {
        place = try VaultAccess.place(vault)
        status = Result {
            try VaultAccess(vault, mayAsk: false).status()
        }
        folders = (try? FolderAccess(vault, mayAsk: false).reports()) ?? []
        desktop = try? SecretServiceAccess(vault, mayAsk: false).report()
        let settings = (try? VaultAccess(vault, mayAsk: false).settings()) ?? VaultSettings()
        let keys: Int
        do {
            keys = try SSHListing(KeyAccess(vault, mayAsk: false)).entries.count
            sshTrouble = nil
        } catch { (keys, sshTrouble) = (0, error) }
        prompts = PromptExamination.finding(
            pinentry: settings.pinentry, prompt: settings.prompt, isNeeded: keys > 0 || desktop?.isEnabled == true)
    }

    /// The findings. What others depend on comes first.
    var findings: [DoctorFinding] {
        files + DiskExamination.findings(ofVaultAt: place.vault) + settings + pam + LoginExamination.findings
            + [socketFolder] + agent + [prompts, FolderExamination.ofHome]
            + FolderExamination.findings(about: folders) + (desktop.map { [Self.finding(about: $0)] } ?? []) + ssh
    }

    private var ssh: [DoctorFinding] {
        // If the agent does not start, that is a finding of its own.
        guard let sshTrouble, (try? status.get()) != nil else { return [] }
        return [.bad("ssh", "\(sshTrouble)", fix: "until then, ssh finds no key of the vault")]
    }

    private static func finding(about report: SecretServiceReport) -> DoctorFinding {
        if !report.isEnabled {
            return .off(
                "secret-service", "desktop programs keep no secrets here: `latchkey secret-service enable` lets them")
        }
        let words = SecretServiceOwner.words(report)
        if report.state == "waiting" {
            return .bad("secret-service", words, fix: "run `latchkey secret-service status`, and follow its steps")
        }
        if report.trouble != nil {
            return .bad(
                "secret-service", words, fix: "start the agent in your session: run `latchkey agent stop` there")
        }
        return .good("secret-service", words)
    }

    // MARK: - Files

    private var files: [DoctorFinding] {
        var findings: [DoctorFinding] = []
        var trouble: [DoctorFinding] = []
        for (name, isFolder) in [("", true), ("vault.db", false), ("device", false), ("lock", false)] {
            let path = name.isEmpty ? place.vault : "\(place.vault)/\(name)"
            var status = stat()
            guard lstat(path, &status) == 0 else {
                trouble.append(
                    .bad(
                        "files", "\(path): \(SystemError.last)",
                        fix: "put the file back from a copy, or restore a backup into a new vault"))
                continue
            }
            if status.st_uid != geteuid() {
                trouble.append(
                    .bad("files", "\(path) belongs to user \(status.st_uid)", fix: "chown \(geteuid()) \(path)"))
            } else if status.st_mode & 0o077 != 0 {
                trouble.append(
                    .bad("files", "\(path) is open to other users", fix: "chmod \(isFolder ? "700" : "600") \(path)"))
            } else if status.st_mode & (isFolder ? 0o700 : 0o600) != (isFolder ? 0o700 : 0o600) {
                trouble.append(
                    .bad(
                        "files", "you cannot read and write \(path)",
                        fix: "chmod \(isFolder ? "u+rwx" : "u+rw") \(path)"))
            }
        }
        if trouble.isEmpty { findings.append(.good("files", "only you can read \(place.vault)")) }
        return findings + trouble
    }

    private var settings: [DoctorFinding] {
        // An agent that does not start is a finding of its own.
        guard let status = try? status.get() else { return [] }
        var findings: [DoctorFinding] = []
        if status.areSettingsUnchecked {
            findings.append(.open("settings", "not checked until the next unlock: strict ones hold meanwhile"))
        } else if status.settingsPutBack == nil {
            findings.append(.good("settings", "they are as you chose them"))
        }
        if let time = status.settingsPutBack {
            findings.append(
                .bad(
                    "settings",
                    "another program changed them without the passcode, and the vault put back yours "
                        + ShownTime.text(Int64(time) * 1000),
                    fix: "find that program (see `latchkey log`), then change any setting with "
                        + "`latchkey config`, which ends this note"))
        }
        return findings
    }

    // MARK: - PAM

    private var pam: [DoctorFinding] {
        // The agent knows the service. If it does not start, that is a finding of its own.
        guard let status = try? status.get() else { return [] }
        guard let path = status.service else {
            return [.off("PAM", "not used: the vault has its own passcode")]
        }
        if path.hasPrefix(place.pamFolder + "/") {
            return [.good("PAM", "Latchkey's own service checks the login password")] + Self.helperFindings
        }
        return Self.pamFindings(of: path)
    }

    /// Returns a path of the machine that is examined: below the folder in `LATCHKEY_DOCTOR_ROOT`, where another system may be, or
    /// else the path itself.
    static func system(_ path: String) -> String { (SystemPath.variable("LATCHKEY_DOCTOR_ROOT") ?? "") + path }

    /// Returns the findings about the PAM service at this path.
    static func pamFindings(of path: String) -> [DoctorFinding] {
        if let pam = VaultSettings.PAM(path: path),
            let trouble = PAMAuthenticator(ofRoot: pam.service, folder: pam.folder).trouble
        {
            return [
                .bad(
                    "PAM", "\(trouble)",
                    fix: "make the service, its modules and all folders above them belong to root (docs/pam.md)")
            ]
        }
        return [.good("PAM", "root alone can change \(path), which checks the login password")] + helperFindings
    }

    /// The findings about the helper program, setuid or setgid, by which PAM checks a login password for users other than
    /// root.
    static var helperFindings: [DoctorFinding] {
        var findings: [DoctorFinding] = []
        guard geteuid() != 0, let helper else { return findings }
        var status = stat()
        if stat(helper, &status) == 0, status.st_mode & (S_ISGID | S_ISUID) == 0 {
            findings.append(
                .bad(
                    "PAM", "\(helper) is neither setuid nor setgid",
                    fix: "apt-get install --reinstall libpam-modules-bin"))
        }
        if cannotGainRights {
            findings.append(
                .bad(
                    "PAM",
                    "no_new_privs is set, so PAM's helper cannot check a password",
                    fix: "run latchkey outside the sandbox or the systemd unit (NoNewPrivileges=) that sets it"))
        }
        return findings
    }

    /// The repair of low limits, and that of a system which does not say when it sleeps.
    static let limitRemedy =
        "raise it (/etc/security/limits.conf or ulimit), log in again, and run `latchkey agent stop`"
    static let sleepRemedy = "run `latchkey lock` before the machine sleeps, or use a system with logind"

    private static var helper: String? {
        ["/usr/sbin/unix_chkpwd", "/sbin/unix_chkpwd"].map(system).first { access($0, F_OK) == 0 }
    }

    private static var cannotGainRights: Bool {
        guard let status = try? SmallFile.text("/proc/self/status") else { return false }
        return status.split(separator: "\n").contains { $0.hasPrefix("NoNewPrivs:") && $0.hasSuffix("1") }
    }

    // MARK: - Limits and socket

    /// The bytes that the keys of a vault and the requests of many clients at a time need.
    private static let enoughLocked: UInt64 = 2 * 1024 * 1024

    private var lockedMemory: DoctorFinding {
        let limit = LimitedResource.lockedMemory.limit.current
        if geteuid() == 0 || limit == .max { return .good("locked memory", "no limit") }
        let text = "\(limit / 1024) KiB allowed"
        return limit >= Self.enoughLocked
            ? .good("locked memory", text)
            : .bad(
                "locked memory", "\(text), but \(Self.enoughLocked / 1024) KiB are needed at times",
                fix: "raise memlock in /etc/security/limits.conf")
    }

    private var socketFolder: DoctorFinding {
        let folder = String(place.socket[..<(place.socket.lastIndex(of: "/") ?? place.socket.startIndex)])
        do throws(AgentError) {
            try place.checkSocketFolder()
            return .good("socket", "the agent listens at \(place.socket)")
        } catch {
            return .bad(
                "socket", "\(error)", fix: "make \(folder) a folder that only you can enter, or set XDG_RUNTIME_DIR")
        }
    }

    // MARK: - The agent

    private var agent: [DoctorFinding] {
        let status: StatusReport
        do {
            status = try self.status.get()
        } catch {
            // A running agent reports low limits itself, so they are checked here only if it does not start.
            return [
                lockedMemory,
                .bad("agent", "\(error)", fix: "run `latchkey agent` to see why it does not start"),
            ]
        }
        var findings: [DoctorFinding] = [.good("agent", "it runs as process \(status.process)")]
        findings.append(
            status.clockBehind < 60
                ? .good("clock", "it was not set back")
                : .bad(
                    "clock",
                    "it is \(counted(seconds: status.clockBehind)) behind the latest time that the vault has seen",
                    fix: "set the clock (timedatectl); until then no time passes for the vault"))
        if status.delay > 0 {
            findings.append(
                .bad(
                    "passcode",
                    "none is accepted for another \(counted(seconds: status.delay)), after "
                        + counted(status.failedAttempts, "different wrong one"),
                    fix: "wait, or set a new one with `latchkey recover` and the recovery key"))
        }
        findings.append(
            status.sleepTrouble.map {
                .bad("sleep", $0, fix: Self.sleepRemedy)
            } ?? .good("sleep", "the agent locks the vault before the machine sleeps"))
        if status.limitTroubles.isEmpty {
            findings.append(.good("limits", "memory, files and processes are enough for the agent"))
        }
        findings += status.limitTroubles.map {
            .bad("limits", $0, fix: Self.limitRemedy)
        }
        if let log = status.logWords {
            findings.append(.good("log", log))
        }
        if status.sensor == "none" {
            findings.append(.off("sensor", "none: `latchkey biometry setup` adds a fingerprint reader"))
        } else if let trouble = status.sensorTrouble {
            findings.append(.bad("sensor", trouble, fix: "see docs/sensors.md; meanwhile, use the passcode"))
        } else if status.isSensorFake {
            findings.append(
                .bad(
                    "sensor", "FAKE: anyone can pass it",
                    fix: "for real secrets, create a vault without --fake-biometry"))
        } else if status.areSettingsUnchecked {
            findings.append(.open("sensor", "\(status.sensor), not asked until the next unlock"))
        } else {
            findings.append(
                .good(
                    "sensor",
                    "\(status.sensor), with \(counted(status.enrolled.count, "finger or face", "fingers or faces")) enrolled"
                ))
        }
        return findings
    }
}
