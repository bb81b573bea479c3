import Foundation
import LinuxSystem
import Sandbox
import TestSupport
import Testing

/// Plans that are refused, with their reasons.
@Suite struct PlanTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func refusal(_ work: String, change: (inout SandboxPlan) -> Void = { _ in }) throws -> String {
        var plan = SandboxPlan(command: ["true"], work: work)
        change(&plan)
        return "\(try #require(throws: SandboxError.self) { try Sandbox(plan) })"
    }

    @Test func aFolderWithMoreThanWorkIsRefused() throws {
        let home = try #require(ProcessInfo.processInfo.environment["HOME"])
        for path in ["/", home] {
            #expect(try refusal(path).contains("holds your home folder"), "\(path)")
        }
        for path in ["/proc/self", "/run", "/dev", "/tmp", "/var"] {
            let text = try refusal(path)
            #expect(text.contains("name another folder") || text.contains("home folder"), "\(path): \(text)")
        }
        #expect(try refusal("/usr/lib").contains("belongs to the system"))
        #expect(try refusal("work").contains("is not an absolute path"))
        #expect(try refusal(folder.path("nothing")).contains("cannot be found: No such file or directory"))
        try ClosedOnExec.write("", to: folder.path("file"))
        #expect(try refusal(folder.path("file")).contains("is not a folder"))
    }

    @Test func theVaultIsNeitherInsideNorAround() throws {
        let vault = folder.url.appending(path: "work/vault")
        try FileManager.default.createDirectory(at: vault.appending(path: "in"), withIntermediateDirectories: true)
        for path in ["work", "work/vault", "work/vault/in"] {
            #expect(
                try refusal(folder.path(path)) { $0.guarded = [vault.path] }.contains("keys, vaults or sockets"),
                "\(path)")
        }
        // A variable without a value names no place.
        let free = folder.path("free")
        try FileManager.default.createDirectory(atPath: free, withIntermediateDirectories: false)
        var plan = SandboxPlan(command: ["true"], work: free)
        plan.guarded = [""]
        #expect(throws: Never.self) { try Sandbox(plan).end() }
        // A link to the vault is the vault.
        let link = folder.path("link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: vault.path)
        #expect(try refusal(link) { $0.guarded = [vault.path] }.contains("keys, vaults or sockets"))
        let other = try TemporaryFolder()
        let text = try refusal(other.url.path) {
            $0.guarded = [vault.path]
            $0.reads = [link]
        }
        #expect(text.contains("\(link) cannot be in the sandbox"))
    }

    @Test func wordsThatNoProgramCanGetAreRefused() throws {
        let work = folder.url.path
        #expect(try refusal(work) { $0.command = [] }.contains("an empty command"))
        #expect(try refusal(work) { $0.command = ["a", "b\0c"] }.contains("a zero byte"))
        for (name, value) in [("", ""), ("A=B", ""), ("A", "\0")] {
            #expect(try refusal(work) { $0.environment = [(name, value)] }.contains("variable"))
        }
    }
}
