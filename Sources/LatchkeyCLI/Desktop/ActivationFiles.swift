internal import AgentProtocol
internal import Glibc
internal import LinuxSystem
internal import PlainText

/// The files by which the bus of a session starts the agent, if a program asks for secrets before any command did.
///
/// They are installed where no bus looks, because another keyring may have a file of the same name. In the folder of the user
/// they come before those of the system.
package struct ActivationFiles: Sendable {
    private static let names = [
        "org.freedesktop.secrets.service", "org.freedesktop.impl.portal.desktop.latchkey.service",
    ]

    private let shipped: String
    private let folder: String

    /// Finds the files for the agent of a vault. Returns nil if this program was not installed, or if the bus could not start that
    /// agent, because its vault is not the default one.
    init?(of place: AgentPlace) {
        guard place.isUsual, let program = OwnProgram.command.path else { return nil }
        func variable(_ name: String) -> String? {
            SystemPath.variable(name).flatMap { $0.utf8.first == UInt8(ascii: "/") ? $0 : nil }
        }
        guard let data = variable("XDG_DATA_HOME") ?? variable("HOME").map({ $0 + "/.local/share" }) else { return nil }
        self.init(installedWith: program, data: data)
    }

    /// Finds the files that were installed with a program, for a user with this folder for data. Returns nil if there are none.
    package init?(installedWith program: String, data: String) {
        let prefix = program.split(separator: "/").dropLast(2).map { "/\($0)" }.joined()
        shipped = prefix + "/share/latchkey/desktop"
        folder = data + "/dbus-1/services"
        guard Self.names.allSatisfy({ access("\(shipped)/\($0)", F_OK) == 0 }) else { return nil }
    }

    /// Copies the files to where the bus looks, and returns the folder.
    package func install() throws -> String {
        var path = ""
        for part in folder.split(separator: "/") {
            path += "/\(part)"
            if mkdir(path, 0o700) != 0 && errno != EEXIST { throw AgentError(.agent, "\(path): \(SystemError.last)") }
        }
        for name in Self.names {
            let text = try SmallFile.text("\(shipped)/\(name)")
            do { try OutputFile.replace("\(folder)/\(name)", with: text) } catch {
                throw AgentError(.agent, "\(folder)/\(name): \(error)")
            }
        }
        return folder
    }

    /// Removes the copies that are as they were installed, by this version or by another one.
    package func remove() {
        for name in Self.names {
            let copy = "\(folder)/\(name)"
            guard let own = try? SmallFile.text(copy), let first = try? SmallFile.text("\(shipped)/\(name)"),
                Self.isCopy(own, of: first)
            else { continue }
            _ = unlink(copy)
        }
    }

    /// Returns true if a file is the same as a shipped one, but for the place of the agent, which a version may change.
    private static func isCopy(_ file: String, of shipped: String) -> Bool {
        func parts(_ text: String) -> [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }
        let (lines, others) = (parts(file), parts(shipped))
        return lines.count == others.count
            && zip(lines, others).allSatisfy { $0 == $1 || startsAgent($0) && startsAgent($1) }
    }

    private static func startsAgent(_ line: Substring) -> Bool {
        line.hasPrefix("Exec=/") && (line.hasSuffix("/latchkey-agent") || line.hasSuffix("/latchkey agent"))
    }
}
