package import AgentProtocol
internal import Glibc
internal import LinuxSystem
internal import PlainText

/// The program that owns the name of the Secret Service on the bus, and what to do if it is another one.
package enum SecretServiceOwner {
    package static func words(_ report: SecretServiceReport) -> String {
        guard report.isEnabled else { return "off: turn it on with `latchkey secret-service enable`" }
        switch report.state {
        case "serving": return "this vault serves org.freedesktop.secrets"
        case "waiting": return "on, but \(report.owner.map { name($0) } ?? "another program") has the name"
        case "connecting": return "on, and connecting to the bus of the session"
        default: return "on, but not on a bus: \(report.trouble ?? "there is none for this session")"
        }
    }

    private static func name(_ process: Int32) -> String {
        guard let path = SystemFile.target(of: "/proc/\(process)/exe") else { return "process \(process)" }
        return "\(path) (process \(process))"
    }

    /// Returns what to do about a program that has the name; empty if there is nothing to do.
    static func advice(_ report: SecretServiceReport) -> String {
        lines(of: report).map { Terminal.line($0) + "\n" }.joined()
    }

    /// Returns what the user can do; empty if the service has the name, or is off.
    package static func lines(of report: SecretServiceReport) -> [String] {
        guard report.isEnabled else { return [] }
        if report.state == "waiting", let process = report.owner {
            let path = SystemFile.target(of: "/proc/\(process)/exe") ?? ""
            return ["\(name(process)) serves secrets now, and goes on until it ends."]
                + steps(against: path.split(separator: "/").last.map(String.init) ?? "", process)
        }
        if let trouble = report.trouble {
            return ["The agent is not on a bus: \(trouble). It tries again by itself."]
        }
        return []
    }

    /// Returns the steps that turn off the service of a program for good.
    package static func steps(against program: String, _ process: Int32) -> [String] {
        if program.hasPrefix("gnome-keyring") {
            return [
                "To turn off its secrets for your user, and let it keep everything else:",
                "  mkdir -p ~/.config/autostart",
                "  { cat /etc/xdg/autostart/gnome-keyring-secrets.desktop; echo Hidden=true; } "
                    + "> ~/.config/autostart/gnome-keyring-secrets.desktop",
                "  systemctl --user mask --now gnome-keyring-daemon.socket gnome-keyring-daemon.service",
                "  kill \(process)",
                "Its secrets stay in ~/.local/share/keyrings: `latchkey import --help` says how to move them.",
            ]
        }
        if program.hasPrefix("keepassxc") {
            return ["In KeePassXC, turn off Settings, Secret Service Integration, \"Enable\"."]
        }
        if program.hasPrefix("kwalletd") || program.hasPrefix("ksecretd") {
            return [
                "To turn off the service of KWallet:",
                "  kwriteconfig5 --file kwalletrc --group org.freedesktop.secrets --key apiEnabled false",
                "  kill \(process)",
            ]
        }
        return ["End that program, or turn its Secret Service off."]
    }
}

extension SecretServiceAccess {
    /// Returns the report once the agent knows whether it has the name, but not later than after some seconds.
    func settledReport() throws -> SecretServiceReport {
        var report = try report()
        for _ in 0..<60 where report.state == "connecting" {
            usleep(50_000)
            report = try self.report()
        }
        return report
    }
}
