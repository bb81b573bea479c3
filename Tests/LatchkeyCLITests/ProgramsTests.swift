import CommandLineKit
import Foundation
import LatchkeyCLI
import LatchkeyTools
import LinuxSystem
import TestSupport
import Testing

/// The three programs are one command to people.
@Suite(.waitsForProcesses) struct ProgramsTests {
    @Test func everyWordHasItsProgram() {
        let daily = Set(Latchkey.commands.map(\.name))
        let all = Tools.commands.map(\.name)
        #expect(Set(all).count == all.count && daily.isSubset(of: all))
        for name in all {
            let expected: OwnProgram = name == "agent" ? .agent : daily.contains(name) ? .command : .tools
            #expect(OwnProgram(running: [RawText(name)]) == expected, "\(name)")
        }
        // Only the tools know what a mistyped word means.
        for words in [[], ["--help"], ["gte"], ["complete", "bash"], ["--vault", "v", "get"]] {
            #expect(OwnProgram(running: words.map { RawText($0) }) == .tools, "\(words)")
        }
    }

    @Test func theyFindEachOtherAsTheyAreInstalled() throws {
        let place = try TemporaryFolder()
        let (bin, libexec) = (place.path("usr/bin"), place.path("usr/libexec/latchkey"))
        for folder in [bin, libexec] {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }
        let built = Command.built.deletingLastPathComponent()
        let command = URL(filePath: "\(bin)/latchkey")
        try TestProgram.copy(Command.built.path, to: command.path)
        let alone = try Command.run(["rules"], program: command)
        #expect(alone.status == 127 && alone.errors.contains("latchkey-tools is neither beside latchkey nor in"))
        for name in Command.programs.dropFirst() {
            try TestProgram.copy(built.appending(path: name).path, to: "\(libexec)/\(name)")
        }
        let tools = try Command.run(["rules"], program: command)
        #expect(try tools.status == 0 && tools.output == Command.run("rules").output)
        let agent = try Command.run(["agent", "stop", "--vault", place.path("none")], program: command)
        #expect(agent.status == 12 && agent.errors.hasPrefix("latchkey: there is no vault at "), "\(agent)")
        // Through a link too, as another program calls it.
        try FileManager.default.createSymbolicLink(
            atPath: place.path("latchkey"), withDestinationPath: command.path)
        #expect(try Command.run(["rules"], program: URL(filePath: place.path("latchkey"))).status == 0)
    }

    /// People type `latchkey`, and read that in the log.
    @Test func theLogNamesTheCommandThatWasTyped() throws {
        let vault = try UnlockedVault()
        #expect(try vault.sh("latchkey key generate k --preset open").status == 0)
        let log = try vault.sh("latchkey log --json")
        #expect(log.output.contains("\"executable\":\"\(Command.binary.path)\""), "\(log)")
        for name in Command.programs.dropFirst() { #expect(!log.output.contains(name), "\(log)") }
    }
}
