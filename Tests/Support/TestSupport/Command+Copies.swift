package import Foundation
internal import LinuxSystem

extension Command {
    /// The programs that belong together.
    package static let programs = OwnProgram.allCases.map(\.rawValue)

    /// Copies the command, and the programs beside it, into a folder. Returns the copy of the command.
    package static func copy(_ command: URL = built, into folder: String, mode: Int = 0o700) throws -> URL {
        let source = command.deletingLastPathComponent()
        for name in programs {
            try TestProgram.copy(source.appending(path: name).path, to: "\(folder)/\(name)", mode: mode)
        }
        return URL(filePath: folder).appending(path: programs[0])
    }
}
