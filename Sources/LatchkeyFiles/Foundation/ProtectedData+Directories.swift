public import Foundation
internal import SealedFiles

// The folders of an app, as an iPhone has them. They lie below the files of the device that runs the code.

extension ProtectedData {
    /// Returns the folders for this purpose, as `FileManager.urls(for:in:)` does.
    public static func urls(
        for directory: FileManager.SearchPathDirectory, in domains: FileManager.SearchPathDomainMask
    ) -> [URL] {
        guard let home = containerOfApp else { return FileManager.default.urls(for: directory, in: domains) }
        guard domains.contains(.userDomainMask), let path = directory.pathInContainer else { return [] }
        return [home.appending(path: path, directoryHint: .isDirectory)]
    }

    /// Returns the folder for this purpose, and creates it if you wish, as
    /// `FileManager.url(for:in:appropriateFor:create:)` does.
    ///
    /// - Throws: The errors of Foundation; `CocoaError.fileReadNoSuchFile` if there is no such folder.
    public static func url(
        for directory: FileManager.SearchPathDirectory, in domain: FileManager.SearchPathDomainMask,
        appropriateFor url: URL?, create creates: Bool
    ) throws -> URL {
        guard let home = containerOfApp else {
            return try FileManager.default.url(for: directory, in: domain, appropriateFor: url, create: creates)
        }
        if directory == .itemReplacementDirectory {
            let name = "(A Document Being Saved By the App) \(UUID().uuidString)"
            let folder = home.appending(path: "tmp/\(name)", directoryHint: .isDirectory)
            try createDirectory(at: folder, withIntermediateDirectories: true)
            return folder
        }
        guard let folder = urls(for: directory, in: domain).first else { throw CocoaError(.fileReadNoSuchFile) }
        if creates { try createDirectory(at: folder, withIntermediateDirectories: true) }
        return folder
    }

    /// The home folder, as `URL.homeDirectory`.
    public static var homeDirectory: URL { containerOfApp ?? URL.homeDirectory }

    /// The folder of the user's documents, as `URL.documentsDirectory` on Apple's platforms.
    public static var documentsDirectory: URL { folder(.documentDirectory, "Documents") }

    /// The folder of the app's files, as `URL.libraryDirectory` on Apple's platforms.
    public static var libraryDirectory: URL { folder(.libraryDirectory, "Library") }

    /// The folder of files that can be made again, as `URL.cachesDirectory` on Apple's platforms.
    public static var cachesDirectory: URL { folder(.cachesDirectory, "Library/Caches") }

    /// The folder of files that the app needs, as `URL.applicationSupportDirectory` on Apple's platforms. A new app has to
    /// create it.
    public static var applicationSupportDirectory: URL {
        folder(.applicationSupportDirectory, "Library/Application Support")
    }

    /// The folder of temporary files, as `URL.temporaryDirectory`.
    public static var temporaryDirectory: URL {
        containerOfApp?.appending(path: "tmp", directoryHint: .isDirectory) ?? FileManager.default.temporaryDirectory
    }

    private static func folder(_ directory: FileManager.SearchPathDirectory, _ path: String) -> URL {
        urls(for: directory, in: .userDomainMask).first
            ?? homeDirectory.appending(path: path, directoryHint: .isDirectory)
    }

    /// The home folder of an app on the device that runs the code, with the folders that a new app has; nil if no device
    /// does.
    private static var containerOfApp: URL? {
        guard let path = ProtectedFolder.current?.path else { return nil }
        let home = URL(fileURLWithPath: path, isDirectory: true)
        for name in ["Documents", "Library/Caches", "Library/Preferences", "tmp"] {
            try? FileManager.default.createDirectory(
                at: home.appending(path: name, directoryHint: .isDirectory), withIntermediateDirectories: true)
        }
        return home
    }
}

extension FileManager.SearchPathDirectory {
    /// The path below the home folder of an app; nil if it has no such folder.
    fileprivate var pathInContainer: String? {
        switch self {
        case .documentDirectory: "Documents"
        case .libraryDirectory: "Library"
        case .cachesDirectory: "Library/Caches"
        case .applicationSupportDirectory: "Library/Application Support"
        case .autosavedInformationDirectory: "Library/Autosave Information"
        case .downloadsDirectory: "Downloads"
        case .desktopDirectory: "Desktop"
        case .moviesDirectory: "Movies"
        case .musicDirectory: "Music"
        case .picturesDirectory: "Pictures"
        case .sharedPublicDirectory: "Public"
        default: nil
        }
    }
}
