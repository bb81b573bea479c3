import Foundation
import TestSupport
import Testing
import UserPresence

/// The display and the terminal of a pinentry, and which pinentry is chosen for them.
@Suite struct PinentryPlaceTests {
    @Test func onlyVariablesOfTheRightFormArePassedOn() {
        let sound = [
            ("DISPLAY", ":0"), ("DISPLAY", ":10.0"), ("DISPLAY", "localhost:10.0"), ("DISPLAY", "unix/host:1"),
            ("DISPLAY", "[::1]:0"), ("WAYLAND_DISPLAY", "wayland-0"), ("WAYLAND_DISPLAY", "/run/user/1000/wayland-1"),
            ("XAUTHORITY", "/home/me/.X authority"), ("TERM", "xterm-256color"), ("TERM", "screen.xterm"),
            ("GPG_TTY", "/dev/pts/3"), ("GPG_TTY", "/dev/tty1"), ("LANG", "de_DE.UTF-8@euro"), ("LC_ALL", "C.UTF-8"),
            ("LC_CTYPE", "C"), ("LC_MESSAGES", "en_US"),
        ]
        for (name, value) in sound { #expect(PinentryPlace.isSound(value, for: name), "\(name)=\(value)") }
        let unsound = [
            ("DISPLAY", ""), ("DISPLAY", "0"), ("DISPLAY", ":"), ("DISPLAY", ":0.0.0"), ("DISPLAY", ":0 x"),
            ("DISPLAY", ":x"), ("DISPLAY", "a;b:0"), ("DISPLAY", "a\n:0"), ("DISPLAY", ":123456"), ("DISPLAY", ":-1"),
            ("WAYLAND_DISPLAY", "../../tmp/x"), ("WAYLAND_DISPLAY", "a b"), ("XAUTHORITY", "relative"),
            ("XAUTHORITY", "/a\nb"), ("TERM", "../../tmp/x"), ("TERM", "/tmp/x"), ("GPG_TTY", "/tmp/tty"),
            ("GPG_TTY", "/dev/../tmp/x"), ("GPG_TTY", "pts/3"), ("LANG", "../../tmp/de"), ("LANG", "/tmp/de"),
            ("LC_ALL", "a b"), ("LC_ALL", String(repeating: "a", count: 256)), ("LD_PRELOAD", "a"), ("PATH", "a"),
            ("LC_TIME", "C"), ("LANGUAGE", "de"), ("GTK_MODULES", "a"), ("QT_PLUGIN_PATH", "a"),
        ]
        for (name, value) in unsound { #expect(!PinentryPlace.isSound(value, for: name), "\(name)=\(value)") }
    }

    @Test func aPinentryGetsNothingElseOfTheEnvironment() throws {
        let folder = try TemporaryFolder()
        let file = folder.path("xauthority")
        try Data().write(to: URL(filePath: file))
        let place = PinentryPlace(
            [
                "DISPLAY": ":7", "WAYLAND_DISPLAY": "wayland-9", "XAUTHORITY": file, "LANG": "C.UTF-8",
                "LC_MESSAGES": "de_DE", "TERM": "xterm", "PATH": "/tmp/evil", "LD_PRELOAD": "/tmp/evil.so",
                "GTK_MODULES": "evil", "QT_PLUGIN_PATH": "/tmp", "LD_LIBRARY_PATH": "/tmp", "GPG_TTY": "/dev/null",
            ], home: "/home/me", runtime: folder.path("none"))
        // TERM goes with the terminal, which /dev/null is not for anyone but root.
        let rest = place.environment.filter { !$0.hasPrefix("TERM=") }
        #expect(
            rest == [
                "PATH=/usr/bin:/bin", "HOME=/home/me", "DISPLAY=:7", "XAUTHORITY=\(file)", "WAYLAND_DISPLAY=wayland-9",
                "LANG=C.UTF-8", "LC_MESSAGES=de_DE",
            ])
        #expect(place.locale == "C.UTF-8" && place.hasX && place.hasWayland && !place.hasBus)
        let gone = PinentryPlace(
            ["DISPLAY": ":7", "XAUTHORITY": folder.path("other")], home: nil, runtime: folder.path("none"))
        #expect(gone.environment == ["PATH=/usr/bin:/bin", "DISPLAY=:7"])
    }

    @Test func theFlavorFollowsTheSettingAndThenTheDisplay() throws {
        let terminal = try Terminal()
        let folder = try TemporaryFolder()
        func place(_ variables: [String: String]) -> PinentryPlace {
            PinentryPlace(variables, home: nil, runtime: folder.path("none"))
        }
        let x = ["DISPLAY": ":7"]
        let wayland = ["WAYLAND_DISPLAY": "wayland-0"]
        let tty = ["GPG_TTY": terminal.path, "TERM": "xterm"]
        let table: [(variables: [String: String], wanted: PinentryFlavor?, flavors: [PinentryFlavor])] = [
            ([:], nil, []), ([:], .qt, []), (x, nil, [.qt, .gtk]), (x, .gtk, [.gtk, .qt]), (x, .curses, [.qt, .gtk]),
            (wayland, nil, [.qt]), (wayland, .gtk, [.qt]), (tty, nil, [.curses, .tty]), (tty, .tty, [.tty, .curses]),
            (tty, .qt, [.curses, .tty]), (x.merging(tty) { $1 }, nil, [.qt, .gtk, .curses, .tty]),
            (x.merging(tty) { $1 }, .curses, [.curses, .qt, .gtk, .tty]),
        ]
        for (variables, wanted, flavors) in table {
            let fitting = PinentryFlavor.fitting(place(variables), first: wanted)
            #expect(fitting == flavors, "\(variables) \(wanted?.rawValue ?? "")")
        }
        #expect(place(tty).terminal == terminal.path && place(tty).terminalType == "xterm")
        #expect(place(["GPG_TTY": "/dev/pts/999999"]).terminal == nil)
    }

    @Test func noPinentryIsStartedThatAnyoneButRootCouldChange() throws {
        for flavor in PinentryFlavor.allCases {
            #expect(flavor.paths.allSatisfy { $0.hasPrefix("/usr/") && $0.contains("/bin/pinentry-") })
            if let program = flavor.program { #expect(flavor.paths.contains(program)) }
        }
        #expect(PinentryFlavor.isOfTheSystem("/usr/bin/env"))
        let folder = try TemporaryFolder()
        let path = folder.path("pinentry-qt")
        try TestProgram.write("#!/bin/sh\n", to: path, mode: 0o755)
        // The folder of a test is not root's, or lies where everyone may write.
        #expect(!PinentryFlavor.isOfTheSystem(path))
        #expect(!PinentryFlavor.isOfTheSystem("/usr/bin"))
        #expect(!PinentryFlavor.isOfTheSystem("/usr/bin/no-such-pinentry"))
    }
}
