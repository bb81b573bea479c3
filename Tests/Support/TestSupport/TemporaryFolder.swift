public import Foundation

/// A folder of its own for one test, gone with the test.
public final class TemporaryFolder: Sendable {
    /// Where it is.
    public let url: URL

    /// A new folder that nobody else may read. `inMemory` puts it where writing costs no disk.
    public init(inMemory: Bool = false) throws {
        let memory = URL(filePath: "/dev/shm")
        let canUseMemory = inMemory && FileManager.default.isWritableFile(atPath: memory.path)
        let parent = canUseMemory ? memory : FileManager.default.temporaryDirectory
        url = parent.appending(path: "latchkey-\(UUID().uuidString)").resolvingSymlinksInPath()
        try FileManager.default.createDirectory(
            at: url, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// The path of what is called `name` in it.
    public func path(_ name: String) -> String { url.appending(path: name).path }
}
