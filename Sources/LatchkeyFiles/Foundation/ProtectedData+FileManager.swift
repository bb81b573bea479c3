internal import AccessPolicy
public import Foundation
internal import SealedFiles

// The functions of FileManager. Copying, moving and removing need none: a sealed file carries its class and its wrapped
// key, so Foundation can do that with its bytes.

extension ProtectedData {
    /// Creates a file at `path`, as `FileManager.createFile(atPath:contents:attributes:)` does. It replaces a file that is
    /// there. Returns true if that succeeded.
    @discardableResult
    public static func createFile(
        atPath path: String, contents data: Data?, attributes: [FileAttributeKey: Any]? = nil
    ) -> Bool {
        guard let place = Place(path) else {
            return FileManager.default.createFile(atPath: path, contents: data, attributes: attributes)
        }
        do {
            let protection = try FileProtection(in: attributes, of: place)
            try place.writing { (place) throws(FileError) in
                try (data ?? Data()).withUnsafeBytes { (bytes: UnsafeRawBufferPointer) -> Result<Void, FileError> in
                    Result { () throws(FileError) in
                        try place.folder.write(bytes, to: place.path, protection, atomically: true, overwrites: true)
                    }
                }.get()
            }
            if let rest = attributes?.withoutProtection {
                try? FileManager.default.setAttributes(rest, ofItemAtPath: path)
            }
            return true
        } catch {
            return false
        }
    }

    /// Creates a folder at `url`, as `FileManager.createDirectory(at:withIntermediateDirectories:attributes:)` does. New
    /// files in it have its class, unless they name another.
    ///
    /// - Throws: The errors of Foundation, and `CocoaError.featureUnsupported` for a class that is not simulated.
    public static func createDirectory(
        at url: URL, withIntermediateDirectories createsOthers: Bool, attributes: [FileAttributeKey: Any]? = nil
    ) throws {
        guard let place = Place(url) else {
            return try FileManager.default.createDirectory(
                at: url, withIntermediateDirectories: createsOthers, attributes: attributes)
        }
        let manager = FileManager.default
        let named = try FileProtection(in: attributes, of: place)
        // Attributes count for every folder that is created, and not for one that is there already.
        var missing: [URL] = []
        var next = URL(fileURLWithPath: place.path)
        while !manager.fileExists(atPath: next.path), next.path != place.folder.path, next.path != "/" {
            missing.append(next)
            next.deleteLastPathComponent()
        }
        try manager.createDirectory(
            at: url, withIntermediateDirectories: createsOthers, attributes: attributes?.withoutProtection)
        for each in missing.reversed() {
            // A folder inherits the class of the one above it.
            guard let above = Place(each.deletingLastPathComponent()), let created = Place(each),
                let protection = named ?? above.protection
            else { continue }
            try created.writing { (place) throws(FileError) in try place.folder.protect(place.path, as: protection) }
        }
    }

    /// Creates a folder at `path`, as `FileManager.createDirectory(atPath:withIntermediateDirectories:attributes:)` does.
    ///
    /// - Throws: The errors of Foundation, and `CocoaError.featureUnsupported` for a class that is not simulated.
    public static func createDirectory(
        atPath path: String, withIntermediateDirectories createsOthers: Bool, attributes: [FileAttributeKey: Any]? = nil
    ) throws {
        guard Place(path) != nil else {
            return try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: createsOthers, attributes: attributes)
        }
        try createDirectory(
            at: URL(fileURLWithPath: path), withIntermediateDirectories: createsOthers, attributes: attributes)
    }

    /// Sets attributes of the file or folder at `path`, its class among them, as
    /// `FileManager.setAttributes(_:ofItemAtPath:)` does.
    ///
    /// - Throws: `CocoaError.fileWriteNoPermission` if the present or the next class denies the change now.
    public static func setAttributes(_ attributes: [FileAttributeKey: Any], ofItemAtPath path: String) throws {
        guard let place = Place(path), let protection = try FileProtection(in: attributes, of: place) else {
            return try FileManager.default.setAttributes(attributes, ofItemAtPath: path)
        }
        // The class comes first: it changes the file, whose dates and permissions may be among the others.
        try place.writing { (place) throws(FileError) in try place.folder.protect(place.path, as: protection) }
        try FileManager.default.setAttributes(attributes.withoutProtection, ofItemAtPath: path)
    }

    /// Returns the attributes of the file or folder at `path`, as `FileManager.attributesOfItem(atPath:)` does. The class
    /// is among them, and the size is that of the content.
    ///
    /// - Throws: The errors of Foundation.
    public static func attributesOfItem(atPath path: String) throws -> [FileAttributeKey: Any] {
        var attributes = try FileManager.default.attributesOfItem(atPath: path)
        // Of a link, these are its own.
        guard attributes[.type] as? FileAttributeType != .typeSymbolicLink, let place = Place(path),
            let protection = place.protection
        else { return attributes }
        attributes[.protectionKey] = protection.type
        if place.isSealed {
            attributes[.size] = NSNumber(
                value: try place.reading { (place) throws(FileError) in try place.folder.size(of: place.path) })
        }
        return attributes
    }

    /// Returns true if both files or folders have the same content, as `FileManager.contentsEqual(atPath:andPath:)` does.
    public static func contentsEqual(atPath path: String, andPath other: String) -> Bool {
        let places = [path, other].map { Place($0) }
        // Two sealed files differ, even if their content is the same.
        guard places.contains(where: { $0?.isSealed == true }) else {
            return FileManager.default.contentsEqual(atPath: path, andPath: other)
        }
        guard let first = contents(atPath: path), let second = contents(atPath: other) else { return false }
        return first == second
    }
}

extension [FileAttributeKey: Any] {
    fileprivate var withoutProtection: Self { filter { $0.key != .protectionKey } }
}
