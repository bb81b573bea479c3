import Foundation
import TestSupport
import Testing

/// The files that `make install` installs and `make uninstall` removes.
@Suite(.enabled(if: Installation.isPossible)) struct InstallTests {
    /// Returns the files that belong under `prefix`, besides the documents.
    private func expected(_ prefix: String, zsh: String) throws -> [String: String] {
        var files = [
            "\(prefix)/bin/latchkey": "755",
            "\(prefix)/libexec/latchkey/latchkey-tools": "755",
            "\(prefix)/libexec/latchkey/latchkey-agent": "755",
            "\(prefix)/bin/git-credential-latchkey": "-> latchkey",
            "\(prefix)/bin/docker-credential-latchkey": "-> latchkey",
            "\(prefix)/bin/latchkey-askpass": "-> latchkey",
            "\(prefix)/lib/systemd/user/latchkey-agent.service": "644",
            "\(prefix)/lib/systemd/user/latchkey-agent.socket": "644",
            "\(prefix)/lib/systemd/user/latchkey-ssh.socket": "644",
            "\(prefix)/share/latchkey/desktop/org.freedesktop.secrets.service": "644",
            "\(prefix)/share/latchkey/desktop/org.freedesktop.impl.portal.desktop.latchkey.service": "644",
            "\(prefix)/share/latchkey/desktop/latchkey.portal": "644",
            "\(prefix)/share/man/man1/latchkey.1": "644",
            "\(prefix)/share/man/man1/latchkey-agent.1": "644",
            "\(prefix)/share/bash-completion/completions/latchkey": "644",
            "\(prefix)/share/zsh/\(zsh)/_latchkey": "644",
            "\(prefix)/share/fish/vendor_completions.d/latchkey.fish": "644",
            "\(prefix)/share/doc/latchkey/README.md": "644",
            "\(prefix)/share/doc/latchkey/installed": "644",
            "/etc/pam.d/latchkey": "644",
        ]
        let isSystem = prefix == "/usr"
        let folder = isSystem ? try Installation.run("/usr/bin/gcc", ["-print-multiarch"]).text : ""
        let parts = [prefix, "lib", folder.trimmingCharacters(in: .whitespacesAndNewlines), "security/pam_latchkey.so"]
        files[parts.filter { !$0.isEmpty }.joined(separator: "/")] = "644"
        if !isSystem {
            files["/etc/fish/completions/latchkey.fish"] = "-> \(prefix)/share/fish/vendor_completions.d/latchkey.fish"
        }
        if isSystem { files["/usr/share/pam-configs/latchkey"] = "644" }
        let documents = try FileManager.default.contentsOfDirectory(
            atPath: Repository.root.appending(path: "docs").path)
        for document in documents { files["\(prefix)/share/doc/latchkey/docs/\(document)"] = "644" }
        return files
    }

    @Test func everythingIsInItsPlaceAndGoneAgain() throws {
        let place = try Installation()
        for _ in 1...2 {
            try place.make("install", "DESTDIR=\(place.root)")
            #expect(try place.files() == expected("/usr/local", zsh: "site-functions"))
        }
        for folder in try place.folders() {
            let attributes = try FileManager.default.attributesOfItem(atPath: place.root + folder)
            #expect(attributes[.posixPermissions] as? Int == 0o755, "\(folder)")
        }
        #expect(try place.text("/usr/local/share/man/man1/latchkey.1") == "page latchkey.1\n")
        #expect(try place.text("/usr/local/share/bash-completion/completions/latchkey") == "words for bash\n")
        #expect(try place.text("/usr/local/share/zsh/site-functions/_latchkey") == "words for zsh\n")
        #expect(try place.text("/usr/local/share/fish/vendor_completions.d/latchkey.fish") == "words for fish\n")
        let unit = try place.text("/usr/local/lib/systemd/user/latchkey-agent.service")
        #expect(unit.contains("\nExecStart=/usr/local/libexec/latchkey/latchkey-agent\n"))
        try place.make("uninstall", "DESTDIR=\(place.root)")
        #expect(try FileManager.default.subpathsOfDirectory(atPath: place.root) == [])
    }

    @Test func aPackagePutsItUnderUsr() throws {
        let place = try Installation()
        try place.make("install", "DESTDIR=\(place.root)", "PREFIX=/usr")
        #expect(try place.files() == expected("/usr", zsh: "vendor-completions"))
        try place.make("uninstall", "DESTDIR=\(place.root)", "PREFIX=/usr")
        #expect(try FileManager.default.subpathsOfDirectory(atPath: place.root) == [])
    }

    @Test func aPAMServiceThatIsThereIsKept() throws {
        let place = try Installation()
        let service = "/etc/pam.d/latchkey"
        let theirs = "auth required pam_deny.so\n"
        try place.write(theirs, service)
        let said = try place.make("install", "DESTDIR=\(place.root)")
        #expect(said.contains("\(place.root)\(service) is kept, and differs"))
        #expect(try place.text(service) == theirs)
        try place.make("uninstall", "DESTDIR=\(place.root)")
        #expect(try place.files() == [service: "600"] || place.files() == [service: "644"])

        // This holds even if an administrator has put an equal file there.
        let shipped = try String(
            contentsOf: Repository.root.appending(path: "Packaging/latchkey.pam"), encoding: .utf8)
        try place.write(shipped, service)
        try place.make("install", "DESTDIR=\(place.root)")
        try place.make("uninstall", "DESTDIR=\(place.root)")
        #expect(try place.text(service) == shipped)
    }

    @Test func aPAMServiceThatWasChangedSinceIsKept() throws {
        let place = try Installation()
        let service = "/etc/pam.d/latchkey"
        try place.make("install", "DESTDIR=\(place.root)")
        try place.write("auth required pam_deny.so\n", service)
        #expect(try place.make("install", "DESTDIR=\(place.root)").contains("is kept, and differs"))
        #expect(
            try place.make("uninstall", "DESTDIR=\(place.root)").contains("\(service) is kept: it has been changed."))
        #expect(try place.files().keys.sorted() == [service])
        #expect(try place.text(service) == "auth required pam_deny.so\n")
    }

    @Test func nothingOfOthersIsTakenAway() throws {
        let place = try Installation()
        try FileManager.default.createDirectory(
            atPath: place.root + "/usr/local/bin", withIntermediateDirectories: true)
        try place.make("install", "DESTDIR=\(place.root)")
        let others = ["/usr/local/share/man/man1/latchkey-other.1", "/usr/local/share/doc/latchkey/notes"]
        for path in others { try place.write("mine", path) }
        try place.make("uninstall", "DESTDIR=\(place.root)")
        #expect(try place.files().keys.sorted() == others.sorted())
        #expect(try place.folders().contains("/usr/local/bin"), "it was there before")
        #expect(try !place.folders().contains("/usr/local/lib"))
    }

    @Test func whatANewerVersionHasNotIsTakenAway() throws {
        let place = try Installation()
        try place.make("install", "DESTDIR=\(place.root)")
        try place.play(pages: ["latchkey.1"])
        try place.make("install", "DESTDIR=\(place.root)")
        var left = try expected("/usr/local", zsh: "site-functions")
        left["/usr/local/share/man/man1/latchkey-agent.1"] = nil
        #expect(try place.files() == left)
        try place.make("uninstall", "DESTDIR=\(place.root)")
        #expect(try FileManager.default.subpathsOfDirectory(atPath: place.root) == [])
    }

    /// The programs look for each other by the paths of their files, in which no folder is a link.
    @Test func theProgramsAreBesideTheFolderToWhichBinLeads() throws {
        let place = try Installation()
        for folder in ["/usr/local", "/home/bin"] {
            try FileManager.default.createDirectory(
                atPath: place.root + folder, withIntermediateDirectories: true)
        }
        try FileManager.default.createSymbolicLink(
            atPath: place.root + "/usr/local/bin", withDestinationPath: "../../home/bin")
        // A version that did not follow the link has recorded the file by another path.
        try place.write(
            "/usr/local/bin/../libexec/latchkey/latchkey-agent\n", "/usr/local/share/doc/latchkey/installed")
        for _ in 1...2 {
            try place.make("install", "DESTDIR=\(place.root)", "BINDIR=/usr/local/bin/")
            let files = try place.files().keys
            for path in ["/home/bin/latchkey", "/home/libexec/latchkey/latchkey-tools"] {
                #expect(files.contains(path), "\(path)")
            }
            #expect(
                files.contains("/home/libexec/latchkey/latchkey-agent"), "it is not removed as one of a former version")
            #expect(!files.contains { $0.hasPrefix("/usr/local/libexec") })
        }
        let unit = try place.text("/usr/local/lib/systemd/user/latchkey-agent.service")
        #expect(unit.contains("\nExecStart=/home/libexec/latchkey/latchkey-agent\n"))
        try place.make("uninstall", "DESTDIR=\(place.root)", "BINDIR=/usr/local/bin/")
        #expect(try place.files() == ["/usr/local/bin": "-> ../../home/bin"])
    }

    @Test func anInstallationThatEndsBeforeLeavesTheFormerCommand() throws {
        let place = try Installation()
        try place.write("former", "/usr/local/bin/latchkey")
        try place.write("no folder", "/usr/local/libexec")
        #expect(throws: Installation.Complaint.self) { try place.make("install", "DESTDIR=\(place.root)") }
        #expect(try place.text("/usr/local/bin/latchkey") == "former")
    }

    /// A former version could be installed into a folder of any name.
    @Test func whatIsInAnyFolderIsUninstalled() throws {
        let place = try Installation()
        let record = "/usr/local/share/doc/latchkey/installed"
        try place.write("former", "/programs/latchkey")
        try place.write("/programs/latchkey\n\(record)\n/programs/\n", record)
        try place.make("uninstall", "DESTDIR=\(place.root)", "BINDIR=/programs")
        #expect(try place.files().isEmpty)
        #expect(try !place.folders().contains("/programs"))
    }

    @Test func whatCannotBeInstalledLeavesNothing() throws {
        let place = try Installation()
        let destination = "DESTDIR=\(place.root)"
        func refusal(_ goal: String, _ variable: String = "PREFIX=/usr/local") throws -> String? {
            do {
                try place.make(goal, destination, variable)
                return nil
            } catch let complaint as Installation.Complaint {
                return complaint.text
            }
        }
        #expect(try refusal("install", "PREFIX=local")?.contains("PREFIX is “local”: give an absolute path") == true)
        #expect(try refusal("install", "BINDIR=/my programs")?.contains("BINDIR is “/my programs”") == true)
        #expect(try refusal("install", "BINDIR=/programs")?.contains("give a folder bin") == true)
        // A folder bin that is a link is the folder to which it leads.
        try FileManager.default.createDirectory(atPath: place.root + "/opt", withIntermediateDirectories: false)
        for (target, words) in [("programs", "BINDIR is “/opt/programs”"), ("../../bin", "give one below DESTDIR")] {
            try FileManager.default.createSymbolicLink(
                atPath: place.root + "/opt/bin", withDestinationPath: target)
            #expect(try refusal("install", "BINDIR=/opt/bin")?.contains(words) == true)
            try FileManager.default.removeItem(atPath: place.root + "/opt/bin")
        }
        try FileManager.default.createSymbolicLink(
            atPath: place.root + "/opt/libexec", withDestinationPath: "elsewhere")
        #expect(try refusal("install", "BINDIR=/opt/bin")?.contains("beside which libexec is no link") == true)
        try FileManager.default.removeItem(atPath: place.root + "/opt")
        #expect(try refusal("install", "UNITDIR=/100%")?.contains("UNITDIR is “/100%”") == true)
        #expect(try refusal("uninstall")?.contains("nothing is known to be installed there") == true)
        try place.play(pages: ["latchkey.1"], status: 1)
        #expect(try refusal("install") != nil)
        try FileManager.default.removeItem(atPath: place.command)
        #expect(try refusal("install")?.contains("is no program: build it with `make release`") == true)
        #expect(try FileManager.default.subpathsOfDirectory(atPath: place.root) == [])
    }

    @Test func anInstallationEndsWithWhatToTypeNext() throws {
        let place = try Installation()
        let said = try place.make("install", "PREFIX=\(place.root)", "SYSCONFDIR=\(place.root)/etc")
        for words in ["demo", "init", "--help"] { #expect(said.contains("\n    \(place.root)/bin/latchkey \(words) ")) }
        #expect(said.hasSuffix("\n    systemctl --user enable --now latchkey-agent.socket\n"))
        // A package is built under DESTDIR, where nothing can be typed yet.
        #expect(try place.make("install", "DESTDIR=\(place.root)") == "")
    }

    /// Root could write to every folder.
    @Test(.needsOrdinaryUser) func anOrdinaryUserIsToldWhoMayInstallThePAMService() throws {
        let place = try Installation()
        try FileManager.default.createDirectory(
            atPath: place.root + "/etc", withIntermediateDirectories: false, attributes: [.posixPermissions: 0o500])
        #expect(
            try place.make("install", "DESTDIR=\(place.root)").contains("is not installed: only root may write there"))
        #expect(try place.files()["/usr/local/bin/latchkey"] == "755")
        #expect(try place.files()["/etc/pam.d/latchkey"] == nil)
    }

    /// No other place below /usr/local is among those that fish looks through without XDG_DATA_DIRS.
    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/fish"), "skipped: needs fish"))
    func fishFindsTheCompletionsInAShellWithoutVariables() throws {
        let place = try Installation()
        try place.make("install", "DESTDIR=\(place.root)")
        let home = place.folder.path("home")
        let said = try Installation.run("/usr/bin/fish", ["-c", "printf '%s\\n' $fish_complete_path"], ["HOME": home])
        let files = try place.files().keys
        let found = said.text.split(separator: "\n").filter { files.contains("\($0)/latchkey.fish") }
        #expect(found == ["/etc/fish/completions"], "\(said)")
    }

    /// A command of a development build would start on no machine without the toolchain.
    @Test func noPackageIsMadeOfWhatNeedsTheToolchain() throws {
        let place = try Installation()
        let script = Repository.root.appending(path: "Scripts/build-deb").path
        let said = try Installation.run("/bin/bash", [script, Self.latchkey, place.root])
        #expect(said.status == 1 && said.text.contains("libswift"), "\(said)")
        #expect(said.text.hasSuffix("which only the toolchain has: build it with `make release`\n"), "\(said)")
        #expect(try place.files().isEmpty)
    }

    private static let latchkey = Installation.built("latchkey")

    /// True if the built command has completions.
    private static let isComplete = (try? Installation.run(latchkey, ["completion", "bash"]))?.status == 0

    @Test(.enabled(if: isComplete)) func theCommandThatWasBuiltIsInstalledWithItsPages() throws {
        let place = try Installation()
        try place.make("install", "DESTDIR=\(place.root)", "BINARY=\(Self.latchkey)")
        let files = try place.files()
        let pages = files.keys.filter { $0.hasPrefix("/usr/local/share/man/man1/") }
        #expect(pages.contains("/usr/local/share/man/man1/latchkey.1"))
        let wanted = try expected("/usr/local", zsh: "site-functions").keys.filter { !$0.contains("/man1/") }
        #expect(Set(files.keys) == Set(wanted).union(pages))
        try place.make("uninstall", "DESTDIR=\(place.root)")
        #expect(try FileManager.default.subpathsOfDirectory(atPath: place.root) == [])
    }
}
