internal import COpenSSL
internal import SodiumKit

/// A certificate as OpenSSL has it. OpenSSL frees it when its life ends.
final class X509Object {
    let pointer: OpaquePointer

    deinit { X509_free(pointer) }

    /// Reads a certificate in DER. All bytes have to belong to it.
    ///
    /// - Throws: ``KeyError/malformed(_:)`` or ``KeyError/unavailable``.
    init(der bytes: RawSpan, in context: OpaquePointer) throws(KeyError) {
        guard let empty = X509_new_ex(context, nil) else { throw .unavailable }
        // If OpenSSL refuses the bytes, it frees the certificate and sets the pointer to nil.
        var certificate: OpaquePointer? = empty
        let isRead = bytes.withPointer { start in
            var place: UnsafePointer<UInt8>? = start
            let isRead = d2i_X509(&certificate, &place, bytes.byteCount) != nil
            return isRead && place == start + bytes.byteCount
        }
        guard isRead, let certificate else {
            X509_free(certificate)
            throw .malformed(.certificate)
        }
        pointer = certificate
    }

    /// Takes another share of a certificate that OpenSSL has.
    init(sharing certificate: OpaquePointer) {
        X509_up_ref(certificate)
        pointer = certificate
    }

    func der() throws(KeyError) -> [UInt8] {
        let size = Int(i2d_X509(pointer, nil))
        guard size > 0 else { throw .unavailable }
        var der = [UInt8](repeating: 0, count: size)
        der.withUnsafeMutableBufferPointer { der in
            var place = der.baseAddress
            i2d_X509(pointer, &place)
        }
        return der
    }
}
