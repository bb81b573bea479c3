import Foundation
import KeyKit
import SSHProtocol
import TestSupport
import Testing

/// Hosts are found by their keys and by their names, as the real ssh-keygen writes them.
@Suite struct KnownHostsTests {
    private let host: Host
    private let other: Host

    init() throws { (host, other) = (try Host(), try Host(.ec(.p384))) }

    private func line(_ names: String, _ host: Host) -> String { names + " " + host.key.line(comment: "") + "\n" }

    private func hosts(_ lines: String...) -> KnownHosts { KnownHosts([Array(lines.joined().utf8)]) }

    @Test func aKeyLeadsToAName() throws {
        let known = hosts(
            "# a comment\n\n", line("@revoked bad.example", host), line("*.example,!x.example", host),
            line("git.example,192.0.2.7", host), line("[port.example]:2222", other), "broken\n")
        #expect(known.name(of: host.key, candidates: []) == .known("git.example"))
        #expect(known.name(of: host.key, candidates: ["192.0.2.7"]) == .known("192.0.2.7"))
        // A name that the client says, and no file confirms, does not count.
        #expect(known.name(of: host.key, candidates: ["bank.example", ""]) == .known("git.example"))
        #expect(known.name(of: other.key, candidates: []) == .known("[port.example]:2222"))
        let stranger = try Host().key
        #expect(known.name(of: stranger, candidates: ["git.example"]) == .unknown)
        #expect(known.keys(of: "GIT.example") == [host.key.blob])
        #expect(known.keys(of: "[port.example]:2222") == [other.key.blob])
        #expect(known.keys(of: "port.example") == [] && known.keys(of: "a.example") == [])
        #expect(hosts(line("*", host)).name(of: host.key, candidates: []) == .unknown)
    }

    @Test(.enabled(if: SSHKeygen.isThere, "skipped: needs openssh-client")) func aHashedNameIsConfirmed() throws {
        let keygen = try SSHKeygen()
        try Data((line("git.example", host) + line("[port.example]:2222", other)).utf8)
            .write(to: keygen.folder.url.appending(path: "known"))
        try #require(try keygen.run(["-q", "-H", "-f", "known"]).status == 0)
        let text = try keygen.text("known")
        #expect(!text.contains("git.example"))
        let known = hosts(text)
        #expect(known.name(of: host.key, candidates: ["a", "git.example"]) == .known("git.example"))
        #expect(known.name(of: other.key, candidates: ["[port.example]:2222"]) == .known("[port.example]:2222"))
        #expect(known.name(of: host.key, candidates: ["bank.example"]) == .hashed)
        // A client cannot make the agent compute digests without end.
        let many = (0..<64).map { "host\($0).example" }
        #expect(known.name(of: host.key, candidates: many.dropLast() + ["git.example"]) == .known("git.example"))
        #expect(known.name(of: host.key, candidates: many + ["git.example"]) == .hashed)
        #expect(known.keys(of: "git.example") == [host.key.blob] && known.keys(of: "bank.example") == [])
    }
}
