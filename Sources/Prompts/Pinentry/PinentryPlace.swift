internal import Glibc
internal import LinuxSystem

/// The display and the terminal on which a pinentry can show a prompt, from the environment of a process.
///
/// A pinentry gets nothing else of that environment, and each of these only if it has the form that it must have. It
/// never gets the search path or a variable of the dynamic linker.
package struct PinentryPlace: Hashable, Sendable {
    /// The environment of the pinentry, as the system passes it.
    package private(set) var environment = ["PATH=/usr/bin:/bin"]
    /// True if there is an X display.
    package private(set) var hasX = false
    /// True if there is a Wayland display.
    package private(set) var hasWayland = false
    /// True if there is a message bus of the session, which some pinentries need.
    package private(set) var hasBus = false
    /// The path of the terminal; nil if there is none.
    package private(set) var terminal: String?
    /// The type of the terminal, such as xterm.
    package private(set) var terminalType: String?
    /// The locale of what the user types.
    package private(set) var locale: String?

    package static let variables = ["DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "GPG_TTY", "TERM"] + locales
    static let locales = ["LANG", "LC_ALL", "LC_CTYPE", "LC_MESSAGES"]

    /// Reads the place from the environment of this process.
    package static var ofThisProcess: PinentryPlace {
        var values: [String: String] = [:]
        for name in variables {
            if let value = getenv(name), let text = String(validatingCString: value) { values[name] = text }
        }
        // A program may have a terminal without belonging to its session.
        for stream in [STDIN_FILENO, STDERR_FILENO] where isatty(stream) == 1 {
            var path = [CChar](repeating: 0, count: 256)
            if ttyname_r(stream, &path, path.count - 1) == 0 {
                values["GPG_TTY"] = String(
                    decoding: path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
                break
            }
        }
        return PinentryPlace(values, home: home, runtime: "/run/user/\(geteuid())")
    }

    /// The home folder of this user, as the system names it; nil if there is none.
    static var home: String? {
        getpwuid(geteuid())?.pointee.pw_dir.flatMap { String(validatingCString: $0) }
    }

    /// Takes over the variables that have the form that they must have. `home` and `runtime` are the folders of the user,
    /// as the system names them.
    package init(_ variables: [String: String], home: String?, runtime: String) {
        func value(_ name: String) -> String? { variables[name].flatMap { Self.isSound($0, for: name) ? $0 : nil } }
        func pass(_ name: String, _ value: String) { environment.append("\(name)=\(value)") }
        if let home, home.hasPrefix("/") { pass("HOME", home) }
        if let display = value("DISPLAY") {
            hasX = true
            pass("DISPLAY", display)
            if let file = value("XAUTHORITY"), Self.isOwn(file, S_IFREG) { pass("XAUTHORITY", file) }
        }
        if let display = value("WAYLAND_DISPLAY") {
            hasWayland = true
            pass("WAYLAND_DISPLAY", display)
        }
        if Self.isOwn(runtime, S_IFDIR) {
            pass("XDG_RUNTIME_DIR", runtime)
            if Self.isOwn(runtime + "/bus", S_IFSOCK) {
                hasBus = true
                pass("DBUS_SESSION_BUS_ADDRESS", "unix:path=\(runtime)/bus")
            }
        }
        for name in Self.locales {
            guard let given = value(name) else { continue }
            pass(name, given)
            if name != "LC_MESSAGES", locale == nil || name == "LC_ALL" { locale = given }
        }
        if let path = value("GPG_TTY"), Self.isOwn(path, S_IFCHR) {
            terminal = path
            terminalType = value("TERM")
            if let terminalType { pass("TERM", terminalType) }
        }
    }

    /// Forgets the terminal.
    mutating func leaveTerminal() {
        terminal = nil
        terminalType = nil
        environment.removeAll { $0.hasPrefix("TERM=") }
    }

    /// Returns true if a variable has the form that it must have.
    package static func isSound(_ value: String, for name: String) -> Bool {
        guard (1...255).contains(value.utf8.count) else { return false }
        func consists(of others: String) -> Bool {
            value.unicodeScalars.allSatisfy {
                $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0))
                    || others.unicodeScalars.contains($0)
            }
        }
        switch name {
        case "DISPLAY":
            guard consists(of: ".:-_/[]"), let colon = value.lastIndex(of: ":") else { return false }
            let parts = value[value.index(after: colon)...].split(separator: ".", omittingEmptySubsequences: false)
            return (1...2).contains(parts.count)
                && parts.allSatisfy {
                    (1...5).contains($0.count) && $0.allSatisfy { ("0"..."9").contains($0) }
                }
        case "WAYLAND_DISPLAY": return consists(of: ".-_/") && !value.contains("..")
        case "XAUTHORITY": return value.hasPrefix("/") && value.unicodeScalars.allSatisfy { $0.value >= 0x20 }
        // A locale or a type of terminal with a slash would be the path of a file.
        case "TERM": return consists(of: ".-_+")
        case "GPG_TTY": return value.hasPrefix("/dev/") && consists(of: "/") && !value.contains("..")
        default: return locales.contains(name) && consists(of: ".-_@")
        }
    }

    /// Returns true if the path leads to a file of this kind that is this user's and that no one else can change.
    private static func isOwn(_ path: String, _ kind: mode_t) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == kind && status.st_uid == geteuid()
            && (status.st_mode & S_IWOTH == 0 || kind == S_IFSOCK)
    }
}
