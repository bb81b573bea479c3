import Foundation

/// Measures the groups that are named, or all of them, each with the same new folder that is gone afterwards, and prints what
/// they come to as JSON lines.
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
