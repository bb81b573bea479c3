internal import Foundation
internal import Latchkey
internal import SecretVault
internal import SodiumKit

extension SecureBytes {
    /// Copies the bytes of an app, which keeps its own.
    init(copying data: Data) throws(StatusError) {
        do {
            try self.init(copying: data.bytes)
        } catch {
            throw StatusError(.vault(.memory(error)))
        }
    }
}
