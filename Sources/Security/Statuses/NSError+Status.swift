internal import Foundation

extension NSError {
    /// Creates the error for a status, with its text.
    convenience init(status: OSStatus) {
        self.init(
            domain: NSOSStatusErrorDomain, code: Int(status),
            userInfo: [NSLocalizedDescriptionKey: statusTexts[status] ?? "OSStatus \(status)"])
    }
}
