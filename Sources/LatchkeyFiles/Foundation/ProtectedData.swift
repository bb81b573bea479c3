internal import AccessPolicy
public import Foundation
internal import LinuxSystem
internal import SealedFiles

/// Foundation's functions for files, with file protection.
///
/// The plugin `ProtectFiles` has your app's calls of Foundation come here, so its code needs no change. You can also call
/// these functions yourself.
///
/// ```swift
/// let url = device.files.appending(path: "journal")
/// try ProtectedData.write(Data("Met him.".utf8), to: url, options: .completeFileProtection)
/// device.lock()
/// device.advance(by: .seconds(11))
/// do {
///     _ = try ProtectedData.read(contentsOf: url)
/// } catch CocoaError.fileReadNoPermission {
///     print("The journal opens with the next unlock.")
/// }
/// ```
///
/// A file that lies in a `ProtectedFolder` is sealed under its class. Every other file goes to Foundation, and its
/// class is ignored.
public enum ProtectedData: Sendable {
    /// Writes `data` to the file at `url`, as `Data.write(to:options:)` does.
    ///
    /// A new file has the class that the options name, or else that of its folder. An atomic write makes a new file, which
    /// is no longer excluded from backups.
    ///
    /// - Throws: `CocoaError.fileWriteNoPermission` if the class denies the access now.
    public static func write(_ data: Data, to url: URL, options: Data.WritingOptions = []) throws {
        // Foundation ends the program for this combination, on every platform.
        precondition(
            !options.isSuperset(of: [.atomic, .withoutOverwriting]), "withoutOverwriting is not supported with atomic")
        guard let place = Place(url) else { return try data.write(to: url, options: options.withoutProtection) }
        let protection = try options.protection(of: place)
        try place.writing { (place) throws(FileError) in
            try data.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) -> Result<Void, FileError> in
                Result { () throws(FileError) in
                    try place.folder.write(
                        bytes, to: place.path, protection, atomically: options.contains(.atomic),
                        overwrites: !options.contains(.withoutOverwriting))
                }
            }.get()
        }
    }

    /// Returns the content of the file at `url`, as `Data(contentsOf:options:)` does.
    ///
    /// - Throws: `CocoaError.fileReadNoPermission` if the class denies the access now, and
    ///   `CocoaError.fileReadCorruptFile` if the file is damaged or of another device.
    public static func read(contentsOf url: URL, options: Data.ReadingOptions = []) throws -> Data {
        guard let place = Place(url) else { return try Data(contentsOf: url, options: options) }
        return Data(try place.reading { (place) throws(FileError) in try place.folder.read(place.path) })
    }

    /// True if the device that runs the code can open files of the classes that a lock closes, as
    /// `UIApplication.shared.isProtectedDataAvailable` says. On a device without a passcode it is always true.
    public static var isAvailable: Bool { ProtectedFolder.isProtectedDataAvailable }

    /// Returns the content of the file at `path`, as `FileManager.contents(atPath:)` does; nil if it cannot be read.
    public static func contents(atPath path: String) -> Data? {
        guard let place = Place(path) else { return FileManager.default.contents(atPath: path) }
        return (try? place.folder.read(place.path)).map { Data($0) }
    }
}

/// A place in a protected folder.
struct Place {
    let folder: ProtectedFolder
    /// The absolute path, without dots.
    let path: String
    let url: URL

    /// Creates the place that a URL names; nil if it lies in no protected folder.
    init?(_ url: URL) {
        guard url.isFileURL else { return nil }
        let path = url.standardizedFileURL.path
        // Foundation would write plain bytes through a link into the folder, and a link elsewhere is no file of it.
        guard let folder = ProtectedFolder.containing(path) else { return nil }
        let isInFolder = SystemPath.split(path).map { ProtectedFolder.containing($0.above) != nil } ?? false
        self.folder = folder
        self.path = isInFolder ? path : Self.target(of: path) ?? path
        self.url = url
    }

    /// Creates the place that a path names, which may be relative to the current directory.
    init?(_ path: String) {
        if path.isEmpty { return nil }
        self.init(URL(fileURLWithPath: path))
    }

    /// Returns the path without links of a file, or of a new one in a folder that exists; nil if there are neither.
    private static func target(of path: String) -> String? {
        if let target = realpath(path) { return target }
        guard let (above, name) = SystemPath.split(path) else { return nil }
        return realpath(above).map { "\($0)/\(name)" }
    }

    /// The class of the file or folder; nil for a plain file, and if it cannot be found out.
    var protection: FileProtection? { try? folder.protection(of: path) }

    /// True if there is a sealed file, even a damaged one.
    var isSealed: Bool {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue else {
            return false
        }
        do { return try folder.protection(of: path) != nil } catch {
            if case .damaged = error { return true }
            return false
        }
    }

    /// Returns what `body` does, with errors of reading as Foundation's.
    func reading<Value>(_ body: (Place) throws(FileError) -> Value) throws -> Value {
        do { return try body(self) } catch { throw CocoaError(error, at: url, isWrite: false) }
    }

    /// Returns what `body` does, with errors of writing as Foundation's.
    func writing<Value>(_ body: (Place) throws(FileError) -> Value) throws -> Value {
        do { return try body(self) } catch { throw CocoaError(error, at: url, isWrite: true) }
    }
}
