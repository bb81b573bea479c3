internal import CTLS
internal import Glibc
internal import LinuxSystem

extension TLSError {
    /// Reads the error of the last call from OpenSSL's queue. `number` is what the call left in `errno`.
    init(_ session: OpaquePointer, number: Int32) {
        let verification = SSL_get_verify_result(session)
        let error = ERR_peek_error()
        if verification != Int(X509_V_OK) {
            self = .certificate(reason: String(cString: X509_verify_cert_error_string(verification)))
        } else if error == 0 {
            // The system failed, and zero stands for the end of the connection.
            switch number {
            case 0, ECONNRESET, EPIPE, ECONNABORTED: self = .endedEarly
            case ETIMEDOUT: self = .timedOut
            default: self = .system(SystemError(number))
            }
        } else if ERR_GET_LIB(error) == ERR_LIB_SSL && ERR_GET_REASON(error) == SSL_R_UNEXPECTED_EOF_WHILE_READING {
            self = .endedEarly
        } else {
            let reason = ERR_reason_error_string(error).map { String(cString: $0) }
            self = .protocolFailure(reason: reason ?? "error \(error)")
        }
    }
}
