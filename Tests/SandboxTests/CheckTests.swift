import Foundation
import Sandbox
import TestSupport
import Testing

/// The test that a sandbox makes of itself.
@Suite(.needsUserNamespaces) struct CheckTests {
    let work: TemporaryFolder

    init() throws { work = try TemporaryFolder() }

    private func facts(sharesNetwork: Bool) throws -> [String: Bool] {
        let run = try SandboxRun(script: "true", in: work.url.path) { $0.sharesNetwork = sharesNetwork }
        let facts = run.sandbox.check()
        #expect(try run.result().status == 0)
        #expect(run.sandbox.check() == [])
        return Dictionary(facts.map { ($0.what, $0.isKeptOut) }) { $0 && $1 }
    }

    @Test func aTightSandboxKeepsEverythingOut() throws {
        let home = try #require(ProcessInfo.processInfo.environment["HOME"])
        let file = "\(home)/sandbox-\(UUID().uuidString)"
        try ClosedOnExec.write("mine", to: file)
        defer { try? FileManager.default.removeItem(atPath: file) }
        let facts = try facts(sharesNetwork: false)
        #expect(facts.filter { !$0.value }.isEmpty, "\(facts)")
        for what in [
            "the abstract sockets of the machine", "the loopback ports of the machine", "the keys of your session",
            "the files of your home folder", "your processes", "the memory and the environment of your processes",
        ] {
            #expect(facts[what] == true, "\(what)")
        }
    }

    @Test func theNetworkOfTheMachineIsToldHonestly() throws {
        let facts = try facts(sharesNetwork: true)
        let open = ["the abstract sockets of the machine", "the loopback ports of the machine"]
        #expect(Set(facts.filter { !$0.value }.keys) == Set(open), "\(facts)")
    }
}
