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
    /// The absolute path of the work folder.
    let work: String
    /// The absolute paths that the program may read.
    let reads: [String]
    /// The work folder and what the program may read, without links.
    let places: [String]
    /// The lines that the owner agrees to. They have the places, because a link of the project can lead anywhere.
    let lines: [String]

    /// The names of the policies that a profile may expect.
    static let policies = PolicyPreset.all.map(\.name)

    /// Reads a profile. Ends the program with its mistakes if it has any.
    ///
    /// - Parameter commands: The names that the user may have meant instead of a file that is not there.
    init(_ path: String, orOneOf commands: [String]) throws {
        let file: LoanFile
        do { file = try LoanFile(path, policies: Self.policies) } catch {
            let meant = nearest(to: path, among: commands)
            throw AgentError(
                .request,
                error.description
                    + (meant.map { "; did you mean `latchkey lend \($0)`?" } ?? ", and a profile is needed"))
        }
        guard let profile = file.profile, let resolved = SourceFile.resolved(path) else {
            exit(Complaints.tell(file.mistakes))
        }
        let folder = resolved.lastIndex(of: "/").map { String(resolved[..<$0]) } ?? ""
        let paths = ([profile.sandbox.work] + profile.sandbox.reads).map { Self.absolute($0, in: folder) }
        let places = paths.map { SourceFile.resolved($0) ?? $0 }
        var left = places[...]
        (self.path, self.profile, self.places) = (resolved, profile, places)
        (work, reads) = (paths[0], Array(paths.dropFirst()))
        lines = profile.lines { _ in left.removeFirst() }
    }

    private static func absolute(_ path: String, in folder: String) -> String {
        if path.hasPrefix("/") { return path }
        if path == "~" || path.hasPrefix("~/"), let home = SystemPath.variable("HOME") {
            return home + path.dropFirst(1)
        }
        return path == "." ? (folder.isEmpty ? "/" : folder) : folder + "/" + path
    }
}
