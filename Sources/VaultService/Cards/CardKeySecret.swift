internal import AgentProtocol
internal import CardKit
internal import SodiumKit

/// The bytes that the vault keeps of a key on a card, in place of a private key: where it is, a line feed, and the PIN. They are
/// sealed together, so no other program can have the PIN sent to another card or to another module.
enum CardKeySecret {
    private static let end = UInt8(ascii: "\n")
    /// The most bytes before the PIN.
    private static let longest = 16 << 10
    static let longestPIN = 255

    static func bytes(_ place: CardKeyPlace, pin: borrowing SecureBytes) throws(AgentError) -> SecureBytes {
        let head = Array(CardKeyReference(place).head.text.utf8) + [end]
        guard head.count <= longest else { throw AgentError(.request, "the path of the module is too long") }
        do throws(SodiumError) {
            var bytes = try SecureBytes(count: head.count + pin.count)
            bytes.withMutableBytes { bytes in
                bytes.copyBytes(from: head)
                pin.withBytes { pin in
                    pin.withUnsafeBytes {
                        UnsafeMutableRawBufferPointer(rebasing: bytes[head.count...]).copyMemory(from: $0)
                    }
                }
            }
            return bytes
        } catch { throw AgentError(.vault, "\(error)") }
    }

    /// Returns the place and the PIN in the bytes of a vault.
    static func read(_ bytes: borrowing SecureBytes) throws(AgentError) -> CardKeyUse {
        // Nothing before the PIN is secret.
        let head = bytes.withBytes { bytes in
            bytes.withUnsafeBytes { bytes in
                bytes.prefix(longest).firstIndex(of: end).map { Array(bytes[..<$0]) }
            }
        }
        guard let head, var fields = try? WireObject(head), let place = (try? CardKeyReference(reading: &fields))?.place
        else {
            throw AgentError(.damaged, "the place of the key on its card is damaged: delete the key, and add it again")
        }
        do throws(SodiumError) {
            return CardKeyUse(
                place: place,
                pin: try bytes.withBytes { (bytes) throws(SodiumError) in
                    try SecureBytes(copying: bytes.extracting(last: bytes.byteCount - head.count - 1))
                })
        } catch { throw AgentError(.vault, "\(error)") }
    }
}

/// A place, and the PIN for it.
struct CardKeyUse: ~Copyable {
    let place: CardKeyPlace
    let pin: SecureBytes
}
