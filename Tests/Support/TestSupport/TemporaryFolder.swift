public import Foundation

/// A folder for one test, which is deleted with this object.
public final class TemporaryFolder: Sendable {
    /// The path of the folder.
    public let url: URL

    /// Creates a folder that no other user may read. With `inMemory`, writing to it costs no disk.
    public init(inMemory: Bool = false) throws {
        let memory = URL(filePath: "/dev/shm")
        let canUseMemory = inMemory && FileManager.default.isWritableFile(atPath: memory.path)
        let parent = canUseMemory ? memory : FileManager.default.temporaryDirectory
        url = parent.appending(path: "latchkey-\(UUID().uuidString)").resolvingSymlinksInPath()
        try FileManager.default.createDirectory(
            at: url, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// Returns the path of `name` in the folder.
    public func path(_ name: String) -> String { url.appending(path: name).path }
}
