internal import LatchkeyCLI
internal import LinuxSystem
internal import UserPresence

/// The checks of the services that pass a login password to the vault.
enum LoginExamination {
    private static var folder: String { Examination.system("/etc/pam.d") }
    private static let module = "pam_latchkey.so"

    /// The findings about the services of this machine.
    static var findings: [DoctorFinding] {
        let names = SystemPath.names(in: folder).sorted()
        var using: [String] = []
        var troubles: [DoctorFinding] = []
        for name in names {
            guard let text = text(of: name),
                let faults = PAMModuleOrder.faults(of: module, in: text, including: text(of:))
            else { continue }
            using.append(name)
            troubles += faults.map { finding(about: $0, in: name) } + strangers(in: text, of: name)
        }
        if !troubles.isEmpty { return troubles }
        if using.isEmpty { return [.off("login", "it does not unlock the vault; docs/login.md shows how it can")] }
        let logins = using.filter { knownLogins.contains($0) }
        if logins.isEmpty {
            return [
                .off(
                    "login",
                    "\(module) is in \(using.joined(separator: ", ")), which no login that Latchkey knows uses (docs/login.md)"
                )
            ]
        }
        return [.good("login", "it unlocks the vault with a password at \(logins.joined(separator: ", "))")]
    }

    /// The services of programs at which a person logs in or unlocks a screen. Another program may use any other service, which
    /// no file says.
    private static let knownLogins: Set = [
        "login", "sshd", "remote", "gdm-password", "lightdm", "lightdm-greeter", "sddm", "kde", "xdm", "lxdm", "greetd",
        "slim",
        "xscreensaver", "i3lock", "swaylock", "gtklock", "hyprlock", "cinnamon-screensaver", "mate-screensaver",
        "xfce4-screensaver", "light-locker", "vlock", "physlock",
    ]

    private static func text(of name: String) -> [UInt8]? {
        let path = name.utf8.first == UInt8(ascii: "/") ? name : "\(folder)/\(name)"
        return (try? SmallFile.text(path)).map { Array($0.utf8) }
    }

    /// Returns a finding for each program but the agent that the lines of the module have listen to the password.
    private static func strangers(in text: [UInt8], of name: String) -> [DoctorFinding] {
        guard let agent = OwnProgram.agent.path else { return [] }
        // The module obeys the last of its arguments, and compares the path as it is written.
        let programs = PAMServiceFile.arguments(of: module, in: text).compactMap { words in
            words.last { $0.hasPrefix("exe=/") }
        }
        return Set(programs).subtracting(["exe=\(agent)"]).sorted().map { program in
            .bad(
                "login", "\(folder)/\(name) has \(program), so \(module) passes no password to the agent, \(agent)",
                fix: "replace it by exe=\(agent)")
        }
    }

    private static func finding(about fault: PAMModuleOrder.Fault, in name: String) -> DoctorFinding {
        switch fault {
        case .afterFailure(let kind):
            .bad(
                "login", "\(folder)/\(name) reaches \(module) after a failure (\(kind))",
                fix: "put its line after `\(kind) requisite pam_deny.so`, as in docs/login.md")
        case .passedOver(let kind):
            .bad(
                "login", "\(folder)/\(name) ends before \(module) though the password is right (\(kind))",
                fix: "replace `sufficient` in the lines before it by `[success=N default=ignore]`, as in Debian's "
                    + "common-\(kind)")
        case .beforeSession:
            .bad(
                "login", "\(folder)/\(name) reaches \(module) before pam_systemd.so",
                fix: "put its line after that of pam_systemd.so, which makes the folder of the socket")
        }
    }
}
