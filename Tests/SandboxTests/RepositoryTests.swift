import Foundation
import LinuxSystem
import Sandbox
import TestSupport
import Testing

/// The repository in a work folder, whose hooks and settings act outside later.
@Suite(.needsUserNamespaces) struct RepositoryTests {
    let work: TemporaryFolder

    init() throws { work = try TemporaryFolder() }

    private func run(_ script: String) throws -> Int32 {
        try SandboxRun(script: script, in: work.url.path).result().status
    }

    private func make(hooks: Bool) throws {
        let folder = work.url.appending(path: ".git")
        let names = ["objects", "refs"] + (hooks ? ["hooks"] : [])
        for name in names {
            try FileManager.default.createDirectory(at: folder.appending(path: name), withIntermediateDirectories: true)
        }
        try ClosedOnExec.write("[core]\n", to: folder.appending(path: "config").path)
        try ClosedOnExec.write("ref: refs/heads/main\n", to: folder.appending(path: "HEAD").path)
    }

    @Test(arguments: [true, false]) func hooksAndSettingsStay(hooks: Bool) throws {
        try make(hooks: hooks)
        #expect(try run("echo evil >.git/hooks/pre-push") != 0)
        #expect(try run("echo evil >>.git/config") != 0)
        #expect(try run("rm -f .git/config || mv .git/hooks .git/other || rmdir .git/hooks") != 0)
        #expect(try run("mv .git .other") != 0)
        #expect(ClosedOnExec.text(of: work.path(".git/config")) == "[core]\n")
        #expect(try FileManager.default.contentsOfDirectory(atPath: work.path(".git/hooks")) == [])
        #expect(try run("echo a >file && git add file && git -c user.name=a -c user.email=a commit -qm a") == 0)
    }

    @Test func settingsElsewhereAreTold() throws {
        try make(hooks: true)
        try ClosedOnExec.write("[core]\n", to: work.path(".git/config.worktree"))
        let script = "echo ../evil >.git/commondir; echo evil >.git/config.worktree"
        let sandbox = try SandboxRun(script: script, in: work.url.path) { $0.errors = .nothing }.sandbox
        try sandbox.start()
        #expect(sandbox.wait() != 0)
        #expect(sandbox.traps == [work.path(".git/commondir")])
        #expect(ClosedOnExec.text(of: work.path(".git/config.worktree")) == "[core]\n")
    }

    @Test func theFileOfAWorkTreeStays() throws {
        try ClosedOnExec.write("gitdir: /elsewhere\n", to: work.path(".git"))
        #expect(try run("echo 'gitdir: /evil' >.git || rm -f .git || mv .git x") != 0)
        #expect(ClosedOnExec.text(of: work.path(".git")) == "gitdir: /elsewhere\n")
    }

    @Test func aLinkInTheirPlaceIsRefused() throws {
        try make(hooks: false)
        try FileManager.default.createSymbolicLink(atPath: work.path(".git/hooks"), withDestinationPath: "/tmp")
        let error = try #require(throws: SandboxError.self) { try SandboxRun(script: "true", in: work.url.path) }
        #expect("\(error)".contains(".git/hooks cannot be in the sandbox"))
    }
}
