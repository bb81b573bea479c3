import Foundation
import TestSupport
import Testing

/// The installed units, as systemd reads them.
@Suite(.enabled(if: Installation.isPossible)) struct UnitTests {
    private static let analyze = "/usr/bin/systemd-analyze"
    private static let names = ["latchkey-agent.service", "latchkey-agent.socket", "latchkey-ssh.socket"]

    /// Installs under a separate prefix, so that the program which the unit names is there.
    private func installed() throws -> (place: Installation, units: String) {
        let place = try Installation()
        try place.make("install", "PREFIX=\(place.root)", "SYSCONFDIR=\(place.root)/etc")
        return (place, place.root + "/lib/systemd/user")
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: analyze)))
    func systemdHasNothingToSayAboutThem() throws {
        let (place, units) = try installed()
        for name in Self.names {
            let said = try Installation.run(
                Self.analyze, ["verify", "--user", "--man=no", "\(units)/\(name)"],
                // systemd-analyze needs to know the folder for a user's sockets, which may be empty.
                ["XDG_RUNTIME_DIR": place.root, "HOME": place.root])
            #expect(said.status == 0 && said.text.isEmpty, "\(name): \(said.text)")
        }
    }

    /// Every setting that keeps a program from gaining privileges also keeps unix_chkpwd from reading a password. So
    /// this lists the settings that are allowed.
    @Test func nothingInThemKeepsThePasswordFromBeingRead() throws {
        let harmless: Set = [
            "Description", "Documentation", "Requires", "Type", "ExecStart", "Restart", "UMask", "LimitCORE",
            "MemorySwapMax", "LimitMEMLOCK", "Also", "ListenStream", "SocketMode", "DirectoryMode", "RemoveOnStop",
            "WantedBy", "FileDescriptorName", "Service", "ExecStartPost", "ExecStopPre", "After",
        ]
        for name in Self.names {
            let file = Repository.root.appending(path: "Packaging/\(name)")
            let settings = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
                .filter { !$0.hasPrefix("#") && !$0.hasPrefix("[") }.map { String($0.prefix { $0 != "=" }) }
            #expect(settings.count > 4)
            #expect(Set(settings).subtracting(harmless) == [])
        }
    }

    /// SSH clients start an agent that commands find as well.
    @Test func theSocketForSSHClientsBringsTheOtherOneAlong() throws {
        let file = Repository.root.appending(path: "Packaging/latchkey-ssh.socket")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        for line in ["Requires=latchkey-agent.socket", "After=latchkey-agent.socket"] {
            #expect(lines.contains(Substring(line)))
        }
    }

    /// The page about PAM quotes the installed service.
    @Test func thePAMServiceAsksForThePasswordOfTheAccountAndForNothingElse() throws {
        let file = Repository.root.appending(path: "Packaging/latchkey.pam")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(lines == ["auth     required  pam_unix.so", "account  required  pam_unix.so"])
        let page = try String(contentsOf: Repository.root.appending(path: "docs/pam.md"), encoding: .utf8)
        #expect(page.contains(lines.map { "    \($0)\n" }.joined()))
    }
}
