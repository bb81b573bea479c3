import Foundation
import TestSupport

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
