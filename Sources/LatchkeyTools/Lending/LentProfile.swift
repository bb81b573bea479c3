internal import AgentProtocol
internal import Glibc
internal import LatchkeyCLI
internal import LinuxSystem
internal import LoanRules
internal import PlainText
internal import ScenarioFormat

/// A profile, with the folder that its paths begin at.
struct LentProfile {
    /// The path of the file, without links.
    let path: String
    let profile: LoanProfile
    private let folder: String

    /// Reads a profile. Ends the program with its mistakes if it has any.
    ///
    /// - Parameter commands: The names that the user may have meant instead of a file that is not there.
    init(_ path: String, orOneOf commands: [String]) throws {
        let file: LoanFile
        do { file = try LoanFile(path) } catch {
            let meant = nearest(to: path, among: commands)
            throw AgentError(
                .request,
                error.description
                    + (meant.map { "; did you mean `latchkey lend \($0)`?" } ?? ", and a profile is needed"))
        }
        guard let profile = file.profile, let resolved = SourceFile.resolved(path) else {
            exit(Complaints.tell(file.mistakes))
        }
        (self.path, self.profile) = (resolved, profile)
        folder = resolved.lastIndex(of: "/").map { String(resolved[..<$0]) } ?? ""
    }

    /// The absolute path of the work folder.
    var work: String { absolute(profile.sandbox.work) }

    /// The absolute paths that the program may read.
    var reads: [String] { profile.sandbox.reads.map { absolute($0) } }

    private func absolute(_ path: String) -> String {
        if path.hasPrefix("/") { return path }
        if path == "~" || path.hasPrefix("~/"), let home = SystemPath.variable("HOME") {
            return home + path.dropFirst(1)
        }
        return path == "." ? (folder.isEmpty ? "/" : folder) : folder + "/" + path
    }
}
