import Foundation

/// Photos that wait to be uploaded. The app uploads them in the background, where the device is often locked.
struct UploadQueue: Sendable {
    var folder: URL
    /// The class of the files. With `complete`, uploads fail when the device is locked.
    var protection: FileProtectionType

    init(
        in folder: URL = URL.applicationSupportDirectory.appending(path: "uploads"),
        protection: FileProtectionType = .completeUnlessOpen
    ) throws {
        self.folder = folder
        self.protection = protection
        // New files have the class of their folder.
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.protectionKey: protection])
    }

    /// Adds a photo, which may arrive while the device is locked.
    func add(_ photo: Data, named name: String) throws { try photo.write(to: folder.appending(path: name)) }

    /// The names of the photos. They are visible on a locked device.
    var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted() }

    /// Begins to upload a photo: opens its file, which stays open until the upload ends.
    func begin(_ name: String) throws -> Upload {
        let url = folder.appending(path: name)
        return Upload(url: url, file: try FileHandle(forReadingFrom: url))
    }
}

/// A photo that is being uploaded piece by piece.
final class Upload {
    private let url: URL
    private let file: FileHandle
    private(set) var sent = Data()

    init(url: URL, file: FileHandle) {
        self.url = url
        self.file = file
    }

    /// Sends the next piece. Returns false if there is none.
    func sendNext(upTo count: Int = 1024) throws -> Bool {
        guard let piece = try file.read(upToCount: count) else { return false }
        sent += piece
        return true
    }

    /// Removes the photo from the queue.
    func finish() throws {
        try file.close()
        try FileManager.default.removeItem(at: url)
    }
}
