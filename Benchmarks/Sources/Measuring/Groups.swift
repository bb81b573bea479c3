import Foundation

/// Measures the named groups, or all of them, each in the same new folder, and prints the figures as JSON lines. The
/// folder is deleted afterwards.
public func measure(
    _ names: [String], of groups: [(name: String, measure: (String) throws -> [Figure])]
) throws {
    let folder = URL(filePath: FileManager.default.currentDirectoryPath).appending(
        path: ".build/measured-\(UUID().uuidString)"
    ).path
    try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for group in groups where names.isEmpty || names.contains(group.name) {
        for figure in try group.measure(folder) { figure.print() }
    }
}
