import Foundation
import TestSupport
import Testing

extension UnlockedVault {
    /// Returns the processes of the command that lend by a profile in the home folder.
    func lenders(by profile: String) throws -> [pid_t] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { pid_t($0) }.filter { process in
            let words = (try? Data(contentsOf: URL(filePath: "/proc/\(process)/cmdline"))) ?? Data()
            let parts = words.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
            return parts.first?.hasSuffix("latchkey") == true || parts.first?.hasSuffix("latchkey-tools") == true
                ? parts.contains(path(profile)) : false
        }
    }
}

extension UnlockedVault {
    /// Expects that the memory of the processes that lend by a profile has none of these needles. Returns those of `control` that it
    /// has, so that a test sees that the search finds anything.
    func requireForgotten(
        _ needles: Needles, byLendersOf profile: String, finding control: Needles
    ) throws -> Set<String> {
        let lenders = try lenders(by: profile)
        #expect(!lenders.isEmpty)
        var seen: Set<String> = []
        for process in lenders {
            #expect(try needles.found(inMemoryOf: process) == [])
            seen.formUnion(try control.found(inMemoryOf: process))
        }
        return seen
    }
}
