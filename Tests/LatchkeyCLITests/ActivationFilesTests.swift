import Foundation
import LatchkeyCLI
import TestSupport
import Testing

/// The files by which the bus of a session starts the agent.
struct ActivationFilesTests {
    private let names = ["org.freedesktop.impl.portal.desktop.latchkey.service", "org.freedesktop.secrets.service"]

    @Test("the installed files are copied to where the bus looks, and removed again unless someone changed them")
    func copies() throws {
        let folder = try TemporaryFolder()
        let (program, data) = (folder.path("usr/bin/latchkey"), folder.path("home/data"))
        #expect(ActivationFiles(installedWith: program, data: data) == nil, "nothing is installed")

        let shipped = folder.path("usr/share/latchkey/desktop")
        try FileManager.default.createDirectory(atPath: shipped, withIntermediateDirectories: true)
        for name in names {
            let text = try String(contentsOf: Repository.root.appending(path: "Packaging/\(name)"), encoding: .utf8)
            try text.replacing("@PROGRAMS@", with: folder.path("usr/libexec/latchkey"))
                .write(toFile: "\(shipped)/\(name)", atomically: false, encoding: .utf8)
        }
        let files = try #require(ActivationFiles(installedWith: program, data: data))
        let services = try files.install()
        #expect(services == data + "/dbus-1/services")
        #expect(try FileManager.default.contentsOfDirectory(atPath: services).sorted() == names)
        for name in names {
            let copy = try String(contentsOfFile: "\(services)/\(name)", encoding: .utf8)
            #expect(copy.contains("Exec=\(folder.path("usr/libexec/latchkey"))/latchkey-agent\n"), "\(copy)")
        }
        // Enabling twice is no error.
        #expect(try files.install() == services)

        try "[D-BUS Service]\nName=mine\n".write(toFile: "\(services)/\(names[1])", atomically: false, encoding: .utf8)
        files.remove()
        #expect(try FileManager.default.contentsOfDirectory(atPath: services) == [names[1]])

        // Copies of another version, whose agent is in another place, are removed too. A program of the user's stays.
        for (other, left) in [
            ("\(program) agent", []), ("/opt/keyring --latchkey", names), ("\(program) --run", names),
        ] {
            _ = try files.install()
            for name in names {
                let copy = try String(contentsOfFile: "\(services)/\(name)", encoding: .utf8)
                try copy.replacing(
                    "Exec=\(folder.path("usr/libexec/latchkey"))/latchkey-agent\n", with: "Exec=\(other)\n"
                )
                .write(toFile: "\(services)/\(name)", atomically: false, encoding: .utf8)
            }
            files.remove()
            #expect(try FileManager.default.contentsOfDirectory(atPath: services).sorted() == left, "\(other)")
        }
    }
}
