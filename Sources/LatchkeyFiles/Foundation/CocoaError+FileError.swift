internal import AccessPolicy
internal import Foundation
internal import Glibc
internal import SealedFiles

extension CocoaError {
    /// Creates the error that Foundation throws on Apple's platforms.
    ///
    /// Its failure reason says which rule denied the access, and its recovery suggestion what would overcome that.
    init(_ error: FileError, at url: URL, isWrite: Bool) {
        var info: [String: Any] = [NSFilePathErrorKey: error.path, NSURLErrorKey: url]
        // Foundation's own texts are enough for what can happen to any file.
        if case .system = error {
        } else {
            info[NSDebugDescriptionErrorKey] = "\(error)"
            info[NSLocalizedFailureReasonErrorKey] = error.reason.asSentence
            info[NSLocalizedRecoverySuggestionErrorKey] = error.remedy?.asSentence
        }
        let (code, number) = Self.codes(of: error, isWrite: isWrite)
        if let number {
            info[NSUnderlyingErrorKey] =
                POSIXErrorCode(rawValue: number).map { POSIXError($0) }
                ?? NSError(domain: NSPOSIXErrorDomain, code: Int(number))
        }
        self.init(code, userInfo: info)
    }

    /// The error of a call that this module cannot carry out on a sealed file.
    init(unsupported reason: String, at url: URL) {
        self.init(
            .featureUnsupported,
            userInfo: [
                NSFilePathErrorKey: url.path, NSURLErrorKey: url, NSLocalizedFailureReasonErrorKey: reason.asSentence,
                NSDebugDescriptionErrorKey: "\(url.path): \(reason)",
            ])
    }

    /// Returns Foundation's code for an error, and the number of the system below it.
    private static func codes(of error: FileError, isWrite: Bool) -> (Code, Int32?) {
        switch error {
        case .denied: (isWrite ? .fileWriteNoPermission : .fileReadNoPermission, EPERM)
        case .noKeyYet: (.fileWriteNoPermission, EPERM)
        case .damaged, .foreign, .notSealed: (.fileReadCorruptFile, nil)
        case .closed: (isWrite ? .fileWriteUnknown : .fileReadUnknown, EBADF)
        case .device: (isWrite ? .fileWriteUnknown : .fileReadUnknown, EIO)
        case .system(_, let number): (isWrite ? writeCode(number) : readCode(number), number)
        }
    }

    private static func readCode(_ number: Int32) -> Code {
        switch number {
        case ENOENT: .fileReadNoSuchFile
        case EPERM, EACCES: .fileReadNoPermission
        case ENAMETOOLONG: .fileReadInvalidFileName
        case EFBIG: .fileReadTooLarge
        default: .fileReadUnknown
        }
    }

    private static func writeCode(_ number: Int32) -> Code {
        switch number {
        case ENOENT: .fileNoSuchFile
        case EPERM, EACCES: .fileWriteNoPermission
        case ENAMETOOLONG: .fileWriteInvalidFileName
        case EEXIST: .fileWriteFileExists
        case ENOSPC, EDQUOT: .fileWriteOutOfSpace
        case EROFS: .fileWriteVolumeReadOnly
        default: .fileWriteUnknown
        }
    }
}

extension FileError {
    /// The reason without the path.
    fileprivate var reason: String {
        if case .denied(_, let rule, _) = self { return rule.summary }
        let text = "\(self)"
        return text.hasPrefix("\(path): ") ? String(text.dropFirst(path.count + 2)) : text
    }

    fileprivate var remedy: String? {
        if case .denied(_, let rule, _) = self, rule.remedy != .nothing { rule.remedy.text } else { nil }
    }
}

extension String {
    /// The text with a capital letter and a period.
    fileprivate var asSentence: String { prefix(1).uppercased() + dropFirst() + (hasSuffix(".") ? "" : ".") }
}
