internal import AccessPolicy
public import Foundation
internal import SealedFiles

extension ProtectedData {
    /// Returns resource values of the file or folder at `url`, as `URL.resourceValues(forKeys:)` does.
    ///
    /// Read the class and the size of a sealed file with ``fileProtection(in:)`` and ``fileSize(in:)``.
    ///
    /// - Throws: The errors of Foundation.
    public static func resourceValues(of url: URL, forKeys keys: Set<URLResourceKey>) throws -> URLResourceValues {
        var values = try url.resourceValues(forKeys: keys)
        guard let place = Place(url) else { return values }
        if keys.contains(.isExcludedFromBackupKey) {
            values.isExcludedFromBackup = try place.reading { (place) throws(FileError) in
                try place.folder.isExcludedFromBackup(place.path)
            }
        }
        // Code outside of Foundation can set these values only. Quarantine exists on macOS alone.
        var added: [String: Any] = [:]
        if keys.contains(URLResourceKey(rawValue: protectionKey)), let protection = place.protection {
            added[protectionKey] = protection.resourceValue
        }
        if !keys.isDisjoint(with: [.fileSizeKey, .totalFileSizeKey]), place.isSealed {
            added[sizeKey] = try place.reading { (place) throws(FileError) in try place.folder.size(of: place.path) }
        }
        if !added.isEmpty { values.quarantineProperties = added }
        return values
    }

    /// Sets resource values of the file or folder at `url`, as `URL.setResourceValues(_:)` does. The exclusion from backups
    /// lasts until an atomic write makes a new file.
    ///
    /// - Throws: The errors of Foundation.
    public static func setResourceValues(_ values: URLResourceValues, of url: inout URL) throws {
        try url.setResourceValues(values)
        guard let place = Place(url), let isExcluded = values.isExcludedFromBackup else { return }
        try place.writing { (place) throws(FileError) in
            try place.folder.excludeFromBackup(place.path, isExcluded)
        }
    }

    /// Sets one resource value of the file or folder at `url`, as `NSURL.setResourceValue(_:forKey:)` does.
    ///
    /// - Throws: The errors of Foundation.
    public static func setResourceValue(_ value: Any?, forKey key: URLResourceKey, of url: NSURL) throws {
        guard let place = Place(url as URL) else { return try url.setResourceValue(value, forKey: key) }
        if key.rawValue == protectionKey {
            let name = value as? String ?? (value as? any RawRepresentable).flatMap { $0.rawValue as? String }
            guard let protection = FileProtection.allCases.first(where: { $0.resourceValue == name }) else {
                throw CocoaError(unsupported: FileProtection.notSimulated, at: place.url)
            }
            try place.writing { (place) throws(FileError) in try place.folder.protect(place.path, as: protection) }
            return
        }
        guard key == .isExcludedFromBackupKey, let isExcluded = value as? Bool else {
            return try url.setResourceValue(value, forKey: key)
        }
        try place.writing { (place) throws(FileError) in
            try place.folder.excludeFromBackup(place.path, isExcluded)
        }
    }

    /// Returns the class in these resource values, by Apple's name such as `NSURLFileProtectionComplete`; nil if it was not
    /// asked for, or the file has none.
    public static func fileProtection(in values: URLResourceValues) -> String? {
        values.quarantineProperties?[protectionKey] as? String
    }

    /// Returns the size of the content in these resource values; nil if it was not asked for.
    public static func fileSize(in values: URLResourceValues) -> Int? {
        values.quarantineProperties?[sizeKey] as? Int ?? values.fileSize
    }

    /// Returns the size of the content with all forks in these resource values; nil if it was not asked for.
    public static func totalFileSize(in values: URLResourceValues) -> Int? {
        values.quarantineProperties?[sizeKey] as? Int ?? values.totalFileSize
    }

    /// Apple's key of the class.
    private static let protectionKey = "NSURLFileProtectionKey"
    private static let sizeKey = "LatchkeyFileSize"
}
