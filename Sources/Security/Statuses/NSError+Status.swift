internal import Foundation

extension NSError {
    /// The error that is this status, with Apple's text for it.
    convenience init(status: OSStatus) {
        self.init(
            domain: NSOSStatusErrorDomain, code: Int(status),
            userInfo: [NSLocalizedDescriptionKey: statusTexts[status] ?? "OSStatus \(status)"])
    }
}
