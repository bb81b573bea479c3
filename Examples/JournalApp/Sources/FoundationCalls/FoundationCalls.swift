public import Foundation

// Each way in which an app can read or change a file with Foundation, once.

/// The ways to read the file at `url`. Each throws if it cannot.
func reads(of url: URL) -> [(name: String, call: () throws -> Void)] {
    let path = url.path
    let manager = FileManager.default
    var encoding = String.Encoding.utf8
    return [
        ("Data(contentsOf:)", { _ = try Data(contentsOf: url) }),
        ("Data(contentsOf:options:)", { _ = try Data(contentsOf: url, options: .uncached) }),
        ("String(contentsOf:encoding:)", { _ = try String(contentsOf: url, encoding: .utf8) }),
        ("String(contentsOfFile:encoding:)", { _ = try String(contentsOfFile: path, encoding: .utf8) }),
        ("String(contentsOf:usedEncoding:)", { _ = try String(contentsOf: url, usedEncoding: &encoding) }),
        ("String(contentsOfFile:usedEncoding:)", { _ = try String(contentsOfFile: path, usedEncoding: &encoding) }),
        ("String(contentsOf:)", { _ = try String(contentsOf: url) }),
        ("String(contentsOfFile:)", { _ = try String(contentsOfFile: path) }),
        ("contents(atPath:)", { _ = try found(manager.contents(atPath: path)) }),
        ("FileHandle(forReadingFrom:)", { _ = try FileHandle(forReadingFrom: url) }),
        ("FileHandle(forUpdating:)", { _ = try FileHandle(forUpdating: url) }),
        ("FileHandle(forReadingAtPath:)", { _ = try found(FileHandle(forReadingAtPath: path)) }),
        ("FileHandle(forUpdatingAtPath:)", { _ = try found(FileHandle(forUpdatingAtPath: path)) }),
    ]
}

/// The ways to write the file at `url`. Each throws if it cannot.
func writes(to url: URL) -> [(name: String, call: () throws -> Void)] {
    let path = url.path
    let manager = FileManager.default
    let (data, text) = (Data("new".utf8), "new")
    return [
        ("Data.write(to:)", { try data.write(to: url) }),
        ("Data.write(to:options:)", { try data.write(to: url, options: [.atomic, .completeFileProtection]) }),
        ("String.write(to:)", { try text.write(to: url, atomically: false, encoding: .utf8) }),
        ("Substring.write(to:)", { try text.dropFirst().write(to: url, atomically: true, encoding: .utf8) }),
        ("String.write(toFile:)", { try text.write(toFile: path, atomically: false, encoding: .utf8) }),
        ("createFile(atPath:)", { _ = try found(manager.createFile(atPath: path, contents: data) ? true : nil) }),
        (
            "setAttributes(_:ofItemAtPath:)",
            {
                let type = FileProtectionType.none
                try manager.setAttributes([.protectionKey: type], ofItemAtPath: path)
            }
        ),
        ("FileHandle(forWritingTo:)", { _ = try FileHandle(forWritingTo: url) }),
        ("FileHandle(forWritingAtPath:)", { _ = try found(FileHandle(forWritingAtPath: path)) }),
    ]
}

/// The uses of a handle that was opened before. Each throws if it cannot.
func uses(of handle: FileHandle) -> [(name: String, call: () throws -> Void)] {
    [
        ("read(upToCount:)", { _ = try handle.read(upToCount: 1) }),
        ("readToEnd()", { _ = try handle.readToEnd() }),
        ("seekToEnd()", { try handle.seekToEnd() }),
        ("write(contentsOf:)", { try handle.write(contentsOf: Data([1])) }),
        ("truncate(atOffset:)", { try handle.truncate(atOffset: 1) }),
    ]
}

/// What the old functions of a handle give: those that end the program instead of throwing.
func oldUses(of handle: FileHandle) -> [String] {
    var found: [String] = []
    func note(_ data: Data) { found.append(String(decoding: data, as: UTF8.self)) }
    note(handle.readData(ofLength: 2))
    found.append("\(handle.offsetInFile)")
    note(handle.availableData)
    handle.seek(toFileOffset: 1)
    note(handle.readDataToEndOfFile())
    found.append("\(handle.seekToEndOfFile())")
    handle.write(Data("!".utf8))
    handle.synchronizeFile()
    handle.seek(toFileOffset: 0)
    note(handle.readDataToEndOfFile())
    handle.truncateFile(atOffset: 3)
    handle.closeFile()
    return found
}

/// What Foundation says of a file and of folders.
struct Findings {
    var type: FileProtectionType?
    var size: Int?
    var sizeOfResource: Int?
    var totalSizeOfResource: Int?
    var protection: URLFileProtection?
    var isExcluded: Bool?
    var folderType: FileProtectionType?

    init(_ url: URL) throws {
        let manager = FileManager.default
        let attributes = try manager.attributesOfItem(atPath: url.path)
        type = attributes[.protectionKey] as? FileProtectionType
        size = (attributes[.size] as? NSNumber)?.intValue
        let keys: Set<URLResourceKey> = [
            .fileSizeKey, .totalFileSizeKey, .fileProtectionKey, .isExcludedFromBackupKey,
        ]
        let values = try url.resourceValues(forKeys: keys)
        sizeOfResource = values.fileSize
        totalSizeOfResource = values.totalFileSize
        protection = values.fileProtection
        isExcluded = values.isExcludedFromBackup
        folderType =
            try manager.attributesOfItem(atPath: url.deletingLastPathComponent().path)[.protectionKey]
            as? FileProtectionType
    }
}

/// Creates folders in both ways, and excludes a file from backups in both.
func prepare(_ folder: URL) throws {
    let manager = FileManager.default
    let type = FileProtectionType.complete
    for name in ["a", "b"] {
        let inner = folder.appending(path: name)
        if name == "a" {
            try manager.createDirectory(
                at: inner, withIntermediateDirectories: true, attributes: [.protectionKey: type])
        } else {
            try manager.createDirectory(
                atPath: inner.path, withIntermediateDirectories: true, attributes: [.protectionKey: type])
        }
        var url = inner.appending(path: "file")
        try Data("Met him.".utf8).write(to: url)
        if name == "a" {
            var values = URLResourceValues()
            values.isExcludedFromBackup = true
            try url.setResourceValues(values)
        } else {
            try (url as NSURL).setResourceValue(true, forKey: .isExcludedFromBackupKey)
        }
    }
}

func isEqual(_ one: URL, _ other: URL) -> Bool {
    FileManager.default.contentsEqual(atPath: one.path, andPath: other.path)
}

/// The folders of the app, by each name.
func folders() throws -> [URL] {
    let manager = FileManager.default
    return [
        URL.homeDirectory, .documentsDirectory, .libraryDirectory, .cachesDirectory, .applicationSupportDirectory,
        .temporaryDirectory, manager.temporaryDirectory, URL(fileURLWithPath: NSTemporaryDirectory()),
        URL(fileURLWithPath: NSHomeDirectory()),
        try manager.url(for: .documentDirectory, in: .userDomainMask, appropriateFor: nil, create: false),
    ] + manager.urls(for: .cachesDirectory, in: .userDomainMask)
}

private struct NotFound: Error {}

private func found<Value>(_ value: Value?) throws -> Value {
    guard let value else { throw NotFound() }
    return value
}

func open(_ url: URL) throws -> FileHandle { try FileHandle(forUpdating: url) }

/// Where the app keeps its settings. The default of an argument names the user defaults, as in many apps.
public struct Settings {
    private let defaults: UserDefaults

    /// Creates the settings of the app.
    public init(defaults: UserDefaults = .standard) { self.defaults = defaults }

    /// Returns the settings that the apps of a group share.
    public static func shared(_ defaults: UserDefaults = UserDefaults(suiteName: "group.shared")!) -> Settings {
        Settings(defaults: defaults)
    }

    /// The name of the user.
    public var name: String? {
        get { defaults.string(forKey: "name") }
        nonmutating set { defaults.set(newValue, forKey: "name") }
    }
}

func setNames() {
    Settings().name = "own"
    Settings.shared().name = "shared"
    UserDefaults.standard.set(3, forKey: "count")
    UserDefaults(suiteName: "settings")?.set(true, forKey: "isOn")
}
