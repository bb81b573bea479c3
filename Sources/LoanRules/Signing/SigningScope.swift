/// The service and the region that signatures of a loan count for, with AWS's Signature Version 4.
package struct SigningScope: Hashable, Sendable {
    /// The name of the service in signatures, such as `s3`.
    package let service: String
    /// The region, such as `eu-central-1`.
    package let region: String

    /// Reads a scope as a profile has it, `s3 eu-central-1`; nil for a text that is none.
    package init?(_ text: String) {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, parts.allSatisfy(Self.isName) else { return nil }
        (service, region) = (parts[0], parts[1])
    }

    private static func isName(_ text: String) -> Bool {
        1...64 ~= text.utf8.count
            && text.utf8.allSatisfy {
                UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0
                    || $0 == UInt8(ascii: "-")
            }
    }

    /// The scope as a profile has it.
    package var text: String { "\(service) \(region)" }

    /// The last part of every scope, and the last step of its key.
    package static let ending = "aws4_request"

    /// Returns the scope in a signature of a day, such as `20261129`.
    package func text(on day: String) -> String { "\(day)/\(region)/\(service)/\(Self.ending)" }

    /// True if the path is signed as it is sent. Other services encode it once more.
    var keepsPath: Bool { service == "s3" || service.hasPrefix("s3-") }
}
