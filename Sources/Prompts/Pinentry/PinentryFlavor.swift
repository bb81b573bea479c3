internal import Glibc
internal import LinuxSystem

/// A kind of pinentry.
package enum PinentryFlavor: String, CaseIterable, Sendable {
    /// The prompt of the GNOME desktop.
    case gnome3 = "gnome3"
    /// A window with Qt.
    case qt = "qt"
    /// A window with GTK.
    case gtk = "gtk"
    /// A full-screen prompt on a terminal.
    case curses = "curses"
    /// A line on a terminal.
    case tty = "tty"

    /// The paths where the program may be. No other is ever started.
    package var paths: [String] {
        let names =
            switch self {
            case .gnome3: ["pinentry-gnome3"]
            case .qt: ["pinentry-qt", "pinentry-qt6", "pinentry-qt5"]
            case .gtk: ["pinentry-gtk-2", "pinentry-gtk"]
            case .curses: ["pinentry-curses"]
            case .tty: ["pinentry-tty"]
            }
        return ["/usr/bin", "/usr/local/bin"].flatMap { folder in names.map { "\(folder)/\($0)" } }
    }

    /// True if the prompt appears on a terminal and not in a window.
    package var isForTerminal: Bool {
        switch self {
        case .gnome3, .qt, .gtk: false
        case .curses, .tty: true
        }
    }

    /// Returns true if there is what the pinentry needs to show a prompt.
    package func fits(_ place: PinentryPlace) -> Bool {
        switch self {
        case .gnome3: (place.hasX || place.hasWayland) && place.hasBus
        case .qt: place.hasX || place.hasWayland
        case .gtk: place.hasX
        case .curses, .tty: place.terminal != nil
        }
    }

    /// Returns the pinentries that can show a prompt in this place, the best first: the one that the owner of the vault
    /// wants, windows, terminals.
    package static func fitting(_ place: PinentryPlace, first wanted: PinentryFlavor?) -> [PinentryFlavor] {
        let all = (wanted.map { [$0] } ?? []) + allCases.filter { $0 != wanted }
        return all.filter { $0.fits(place) }
    }

    /// The program; nil if it is not installed, or if anyone but root could change it.
    package var program: String? { paths.first { Self.isOfTheSystem($0) } }

    /// Returns true if only root can change the file at `path`, or put another one there.
    package static func isOfTheSystem(_ path: String) -> Bool {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, isRoots(status) else { return false }
        var parent = path[...]
        while let cut = parent.lastIndex(of: "/") {
            parent = parent[..<cut]
            guard lstat(parent.isEmpty ? "/" : String(parent), &status) == 0, status.st_mode & S_IFMT == S_IFDIR,
                isRoots(status)
            else { return false }
        }
        return true
    }

    private static func isRoots(_ status: stat) -> Bool { status.st_uid == 0 && status.st_mode & 0o022 == 0 }
}
