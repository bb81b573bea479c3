/// The file that the plugin writes.
///
/// Its declarations have to repeat Foundation's exactly, `__shared` included, to come before them. They are disfavored, so
/// that tests that import the app as `@testable` still see one function of each name: Foundation's, unless the tests use
/// the plugin too. They are nonisolated, because some apps isolate everything else to the main actor.
let functionsOfTheApp = #"""
    // Written by the plugin ProtectFiles of Latchkey. These functions come before Foundation's of the same names in this
    // target. For files below the folder of a device, they respect the protection class. Other files go to Foundation.

    // Next to an import of explicit level, as an app's file may have, the compiler refuses one of implicit level.
    public import Foundation
    import LatchkeyFiles

    // Without a use outside of this target, the compiler warns that the import is public.
    @usableFromInline typealias URLOfFoundation = URL

    nonisolated extension Data {
        @_disfavoredOverload
        init(contentsOf url: __shared URL, options: Data.ReadingOptions = []) throws {
            self = try ProtectedData.read(contentsOf: url, options: options)
        }

        @_disfavoredOverload
        init(contentsOf url: __shared URL) throws { self = try ProtectedData.read(contentsOf: url) }

        @_disfavoredOverload
        func write(to url: URL, options: Data.WritingOptions = []) throws {
            try ProtectedData.write(self, to: url, options: options)
        }
    }

    nonisolated extension String {
        @_disfavoredOverload
        init(contentsOf url: __shared URL, encoding enc: String.Encoding) throws {
            self = try ProtectedData.text(contentsOf: url, encoding: enc)
        }

        @_disfavoredOverload
        init(contentsOfFile path: __shared String, encoding enc: String.Encoding) throws {
            self = try ProtectedData.text(contentsOf: URL(fileURLWithPath: path), encoding: enc)
        }

        @_disfavoredOverload
        init(contentsOf url: __shared URL, usedEncoding: inout String.Encoding) throws {
            self = try ProtectedData.text(contentsOf: url, usedEncoding: &usedEncoding)
        }

        @_disfavoredOverload
        init(contentsOfFile path: __shared String, usedEncoding: inout String.Encoding) throws {
            self = try ProtectedData.text(contentsOf: URL(fileURLWithPath: path), usedEncoding: &usedEncoding)
        }

        @_disfavoredOverload
        init(contentsOf url: __shared URL) throws {
            var encoding = String.Encoding.utf8
            self = try ProtectedData.text(contentsOf: url, usedEncoding: &encoding)
        }

        @_disfavoredOverload
        init(contentsOfFile path: __shared String) throws {
            var encoding = String.Encoding.utf8
            self = try ProtectedData.text(contentsOf: URL(fileURLWithPath: path), usedEncoding: &encoding)
        }
    }

    nonisolated extension StringProtocol {
        @_disfavoredOverload
        func write(to url: URL, atomically useAuxiliaryFile: Bool, encoding enc: String.Encoding) throws {
            try ProtectedData.write(self, to: url, atomically: useAuxiliaryFile, encoding: enc)
        }

        @_disfavoredOverload
        func write<T: StringProtocol>(
            toFile path: T, atomically useAuxiliaryFile: Bool, encoding enc: String.Encoding
        ) throws {
            try ProtectedData.write(
                self, to: URL(fileURLWithPath: String(path)), atomically: useAuxiliaryFile, encoding: enc)
        }
    }

    nonisolated extension FileManager {
        @_disfavoredOverload
        func contents(atPath path: String) -> Data? { ProtectedData.contents(atPath: path) }

        @_disfavoredOverload @discardableResult
        func createFile(
            atPath path: String, contents data: Data?, attributes attr: [FileAttributeKey: Any]? = nil
        ) -> Bool {
            ProtectedData.createFile(atPath: path, contents: data, attributes: attr)
        }

        @_disfavoredOverload
        func createDirectory(
            at url: URL, withIntermediateDirectories createIntermediates: Bool,
            attributes: [FileAttributeKey: Any]? = nil
        ) throws {
            try ProtectedData.createDirectory(
                at: url, withIntermediateDirectories: createIntermediates, attributes: attributes)
        }

        @_disfavoredOverload
        func createDirectory(
            atPath path: String, withIntermediateDirectories createIntermediates: Bool,
            attributes: [FileAttributeKey: Any]? = nil
        ) throws {
            try ProtectedData.createDirectory(
                atPath: path, withIntermediateDirectories: createIntermediates, attributes: attributes)
        }

        @_disfavoredOverload
        func setAttributes(_ attributes: [FileAttributeKey: Any], ofItemAtPath path: String) throws {
            try ProtectedData.setAttributes(attributes, ofItemAtPath: path)
        }

        @_disfavoredOverload
        func attributesOfItem(atPath path: String) throws -> [FileAttributeKey: Any] {
            try ProtectedData.attributesOfItem(atPath: path)
        }

        @_disfavoredOverload
        func contentsEqual(atPath path1: String, andPath path2: String) -> Bool {
            ProtectedData.contentsEqual(atPath: path1, andPath: path2)
        }

        @_disfavoredOverload
        func urls(
            for directory: FileManager.SearchPathDirectory, in domainMask: FileManager.SearchPathDomainMask
        ) -> [URL] {
            ProtectedData.urls(for: directory, in: domainMask)
        }

        @_disfavoredOverload
        func url(
            for directory: FileManager.SearchPathDirectory, in domain: FileManager.SearchPathDomainMask,
            appropriateFor url: URL?, create shouldCreate: Bool
        ) throws -> URL {
            try ProtectedData.url(for: directory, in: domain, appropriateFor: url, create: shouldCreate)
        }

        @_disfavoredOverload
        var temporaryDirectory: URL { ProtectedData.temporaryDirectory }
    }

    @_disfavoredOverload
    nonisolated func NSTemporaryDirectory() -> String { ProtectedData.temporaryDirectory.path + "/" }

    @_disfavoredOverload
    nonisolated func NSHomeDirectory() -> String { ProtectedData.homeDirectory.path }

    nonisolated extension URL {
        @_disfavoredOverload
        static var homeDirectory: URL { ProtectedData.homeDirectory }

        // Without this one, Foundation's property of the same name would come first.
        @_disfavoredOverload
        static func homeDirectory(forUser user: String) -> URL? { FileManager.default.homeDirectory(forUser: user) }

        @_disfavoredOverload
        static var documentsDirectory: URL { ProtectedData.documentsDirectory }

        @_disfavoredOverload
        static var libraryDirectory: URL { ProtectedData.libraryDirectory }

        @_disfavoredOverload
        static var cachesDirectory: URL { ProtectedData.cachesDirectory }

        @_disfavoredOverload
        static var applicationSupportDirectory: URL { ProtectedData.applicationSupportDirectory }

        @_disfavoredOverload
        static var temporaryDirectory: URL { ProtectedData.temporaryDirectory }

        @_disfavoredOverload
        mutating func setResourceValues(_ values: URLResourceValues) throws {
            try ProtectedData.setResourceValues(values, of: &self)
        }

        @_disfavoredOverload
        func resourceValues(forKeys keys: Set<URLResourceKey>) throws -> URLResourceValues {
            try ProtectedData.resourceValues(of: self, forKeys: keys)
        }
    }

    nonisolated extension NSURL {
        @_disfavoredOverload
        func setResourceValue(_ value: Any?, forKey key: URLResourceKey) throws {
            try ProtectedData.setResourceValue(value, forKey: key, of: self)
        }
    }

    nonisolated extension URLResourceKey {
        @_disfavoredOverload
        static var fileProtectionKey: URLResourceKey { URLResourceKey(rawValue: "NSURLFileProtectionKey") }
    }

    /// A protection class as a resource value, which Foundation has on Apple's platforms only.
    nonisolated struct URLFileProtection: RawRepresentable, Hashable, Sendable {
        let rawValue: String

        static var complete: Self { Self(rawValue: "NSURLFileProtectionComplete") }
        static var completeUnlessOpen: Self { Self(rawValue: "NSURLFileProtectionCompleteUnlessOpen") }
        static var completeUntilFirstUserAuthentication: Self {
            Self(rawValue: "NSURLFileProtectionCompleteUntilFirstUserAuthentication")
        }
        static var none: Self { Self(rawValue: "NSURLFileProtectionNone") }
    }

    nonisolated extension URLResourceValues {
        @_disfavoredOverload
        var fileProtection: URLFileProtection? {
            ProtectedData.fileProtection(in: self).map { URLFileProtection(rawValue: $0) }
        }

        @_disfavoredOverload
        var fileSize: Int? { ProtectedData.fileSize(in: self) }

        @_disfavoredOverload
        var totalFileSize: Int? { ProtectedData.totalFileSize(in: self) }
    }

    nonisolated extension FileHandle {
        @_disfavoredOverload
        convenience init(forReadingFrom url: URL) throws { try self.init(url, for: .reading) }

        @_disfavoredOverload
        convenience init(forWritingTo url: URL) throws { try self.init(url, for: .writing) }

        @_disfavoredOverload
        convenience init(forUpdating url: URL) throws { try self.init(url, for: .updating) }

        @_disfavoredOverload
        convenience init?(forReadingAtPath path: String) {
            try? self.init(URL(fileURLWithPath: path), for: .reading)
        }

        @_disfavoredOverload
        convenience init?(forWritingAtPath path: String) {
            try? self.init(URL(fileURLWithPath: path), for: .writing)
        }

        @_disfavoredOverload
        convenience init?(forUpdatingAtPath path: String) {
            try? self.init(URL(fileURLWithPath: path), for: .updating)
        }

        private convenience init(_ url: URL, for use: ProtectedData.HandleUse) throws {
            self.init(fileDescriptor: try ProtectedData.descriptor(of: url, for: use), closeOnDealloc: true)
        }

        @_disfavoredOverload
        func read(upToCount count: Int) throws -> Data? { try ProtectedData.read(from: self, upToCount: count) }

        @_disfavoredOverload
        func readToEnd() throws -> Data? { try ProtectedData.readToEnd(from: self) }

        @_disfavoredOverload
        func write<T: DataProtocol>(contentsOf data: T) throws {
            try ProtectedData.write(contentsOf: data, to: self)
        }

        @_disfavoredOverload
        func offset() throws -> UInt64 { try ProtectedData.offset(of: self) }

        @_disfavoredOverload @discardableResult
        func seekToEnd() throws -> UInt64 { try ProtectedData.seekToEnd(of: self) }

        @_disfavoredOverload
        func seek(toOffset offset: UInt64) throws { try ProtectedData.seek(self, to: offset) }

        @_disfavoredOverload
        func truncate(atOffset offset: UInt64) throws { try ProtectedData.truncate(self, at: offset) }

        @_disfavoredOverload
        func synchronize() throws { try ProtectedData.synchronize(self) }

        @_disfavoredOverload
        func close() throws { try ProtectedData.close(self) }

        @_disfavoredOverload
        var availableData: Data { ProtectedData.availableData(of: self) }

        @_disfavoredOverload
        func readDataToEndOfFile() -> Data { ProtectedData.endingOnError { try readToEnd() } ?? Data() }

        @_disfavoredOverload
        func readData(ofLength length: Int) -> Data {
            ProtectedData.endingOnError { try read(upToCount: length) } ?? Data()
        }

        @_disfavoredOverload
        func write(_ data: Data) { ProtectedData.endingOnError { try write(contentsOf: data) } }

        @_disfavoredOverload
        var offsetInFile: UInt64 { ProtectedData.endingOnError { try offset() } }

        @_disfavoredOverload @discardableResult
        func seekToEndOfFile() -> UInt64 { ProtectedData.endingOnError { try seekToEnd() } }

        @_disfavoredOverload
        func seek(toFileOffset offset: UInt64) { ProtectedData.endingOnError { try seek(toOffset: offset) } }

        @_disfavoredOverload
        func truncateFile(atOffset offset: UInt64) { ProtectedData.endingOnError { try truncate(atOffset: offset) } }

        @_disfavoredOverload
        func synchronizeFile() { ProtectedData.endingOnError { try synchronize() } }

        @_disfavoredOverload
        func closeFile() { ProtectedData.endingOnError { try close() } }
    }

    // The user defaults of a device. The default of a public function's argument may name them, hence @usableFromInline.
    nonisolated extension UserDefaults {
        @usableFromInline @_disfavoredOverload
        static var standard: UserDefaults { AppDefaults.standard }
    }

    // Only an initializer in the extension of a protocol can return an object of a subclass.
    @usableFromInline
    nonisolated protocol DefaultsOfTheDevice {}

    nonisolated extension UserDefaults: DefaultsOfTheDevice {}

    nonisolated extension DefaultsOfTheDevice where Self: UserDefaults {
        @usableFromInline
        init?(suiteName: String) {
            guard let suite = AppDefaults.suite(named: suiteName) as? Self else { return nil }
            self = suite
        }
    }

    #if LATCHKEY_UIAPPLICATION
        /// The app, with the part of UIKit that tells whether protected files are available.
        @MainActor
        final class UIApplication {
            static let shared = UIApplication()

            nonisolated static var protectedDataWillBecomeUnavailableNotification: Notification.Name {
                Notification.Name("UIApplicationProtectedDataWillBecomeUnavailable")
            }

            nonisolated static var protectedDataDidBecomeAvailableNotification: Notification.Name {
                Notification.Name("UIApplicationProtectedDataDidBecomeAvailable")
            }

            var isProtectedDataAvailable: Bool { ProtectedData.isAvailable }
        }
    #endif

    """#
