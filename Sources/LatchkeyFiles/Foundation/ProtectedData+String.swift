public import Foundation
internal import SealedFiles

extension ProtectedData {
    /// Returns the text in the file at `url`, as `String(contentsOf:encoding:)` does.
    ///
    /// - Throws: The errors of ``read(contentsOf:options:)``, and `CocoaError.fileReadInapplicableStringEncoding` if the
    ///   content is no text in this encoding.
    public static func text(contentsOf url: URL, encoding: String.Encoding) throws -> String {
        guard Place(url)?.isSealed == true else { return try String(contentsOf: url, encoding: encoding) }
        return try text(try read(contentsOf: url), encoding, at: url)
    }

    /// Returns the text in the file at `url` and finds out its encoding, as `String(contentsOf:usedEncoding:)` does.
    ///
    /// - Throws: The errors of ``text(contentsOf:encoding:)``.
    public static func text(contentsOf url: URL, usedEncoding: inout String.Encoding) throws -> String {
        guard Place(url)?.isSealed == true else { return try String(contentsOf: url, usedEncoding: &usedEncoding) }
        let data = try read(contentsOf: url)
        // The marks of UTF-32 begin with those of UTF-16.
        let marks: [([UInt8], String.Encoding)] = [
            ([0xFF, 0xFE, 0, 0], .utf32), ([0, 0, 0xFE, 0xFF], .utf32), ([0xFF, 0xFE], .utf16), ([0xFE, 0xFF], .utf16),
        ]
        usedEncoding = marks.first { data.starts(with: $0.0) }?.1 ?? .utf8
        return try text(data, usedEncoding, at: url)
    }

    /// Writes `text` to the file at `url`, as `write(to:atomically:encoding:)` of a string does.
    ///
    /// - Throws: The errors of ``write(_:to:options:)``, and `CocoaError.fileWriteInapplicableStringEncoding` if the
    ///   encoding has no such text.
    public static func write(
        _ text: some StringProtocol, to url: URL, atomically isAtomic: Bool, encoding: String.Encoding
    ) throws {
        guard Place(url) != nil else { return try text.write(to: url, atomically: isAtomic, encoding: encoding) }
        guard let data = text.data(using: encoding) else {
            throw CocoaError(
                .fileWriteInapplicableStringEncoding, userInfo: [NSFilePathErrorKey: url.path, NSURLErrorKey: url])
        }
        try write(data, to: url, options: isAtomic ? .atomic : [])
    }

    private static func text(_ data: Data, _ encoding: String.Encoding, at url: URL) throws -> String {
        guard let text = String(data: data, encoding: encoding) else {
            throw CocoaError(
                .fileReadInapplicableStringEncoding, userInfo: [NSFilePathErrorKey: url.path, NSURLErrorKey: url])
        }
        return text
    }
}
