import Foundation
import TestSupport
import Testing

/// What a listing shows where a program chose the name, and where memory is short.
@Suite(.waitsForProcesses) struct ListingTests {
    @Test func aLongNameWidensNoLine() throws {
        let vault = try UnlockedVault()
        let long = "login/" + String(repeating: "x", count: 300)
        try vault.set(long, "l")
        try vault.set("short", "s")
        let lines = try vault.sh("latchkey list").output.split(separator: "\n")
        #expect(lines.count == 2 && lines.allSatisfy { $0.count < 140 }, "\(lines)")
        #expect(lines.contains { $0.hasPrefix(long.prefix(60) + "...  ") }, "\(lines)")
        #expect(try vault.sh("latchkey list --names").output.split(separator: "\n").contains(long[...]))
        #expect(try vault.sh("latchkey list --json").output.contains(long))
    }

    /// No cost is to blame, and none can be chosen here.
    @Test func underALimitOfAddressSpaceTheStatusNamesTheLimit() throws {
        let vault = try UnlockedVault()
        let run = try vault.sh("ulimit -v 307200; latchkey status")
        #expect(run.status != 0 && run.errors.contains("307200 KiB of address space"), "\(run)")
        #expect(run.errors.contains("ulimit -v") && !run.errors.contains("cost"), "\(run)")
    }
}
