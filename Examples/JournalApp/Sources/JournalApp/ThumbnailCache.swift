import Foundation

/// Small pictures that the app can make again. They do not belong into backups.
struct ThumbnailCache: Sendable {
    var url = URL.applicationSupportDirectory.appending(path: "thumbnails")

    init() throws {
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    }

    /// Saves the pictures. The file is excluded from backups once, when it is made, and a later atomic save makes a new
    /// file without the exclusion.
    func saveAndForget(_ pictures: Data) throws {
        let isNew = !FileManager.default.fileExists(atPath: url.path)
        try pictures.write(to: url, options: .atomic)
        if isNew { try excludeFromBackup() }
    }

    /// Saves the pictures, and excludes the file from backups after every save.
    func save(_ pictures: Data) throws {
        try pictures.write(to: url, options: .atomic)
        try excludeFromBackup()
    }

    var isExcludedFromBackup: Bool {
        get throws { try url.resourceValues(forKeys: [.isExcludedFromBackupKey]).isExcludedFromBackup ?? false }
    }

    private func excludeFromBackup() throws {
        var values = URLResourceValues()
        values.isExcludedFromBackup = true
        var url = url
        try url.setResourceValues(values)
    }
}
