internal import Courier
internal import HTTPWire
internal import LoanRules
internal import TLSClient

/// A verified connection to the server of a service.
final class TLSUpstream: UpstreamStream {
    private let connection: TLSConnection

    /// The time to connect and to shake hands, in milliseconds.
    private static let patience = 10_000

    init(to server: WireOrigin, _ trust: TLSClient) throws(UpstreamError) {
        let host = String(decoding: server.host, as: UTF8.self)
        do throws(TLSError) {
            connection = try trust.connect(
                to: host, port: server.port, addresses: server.isPrivate ? .any : .publicOnly,
                withinMilliseconds: Self.patience)
        } catch { throw UpstreamError(message: "\(error)") }
    }

    func read(into buffer: UnsafeMutableRawBufferPointer, withinMilliseconds patience: Int) throws(UpstreamError) -> Int
    {
        do throws(TLSError) { return try connection.read(into: buffer, withinMilliseconds: patience) } catch {
            throw UpstreamError(message: "\(error)")
        }
    }

    func write(_ bytes: RawSpan, withinMilliseconds patience: Int) throws(UpstreamError) {
        do throws(TLSError) { try connection.write(bytes, withinMilliseconds: patience) } catch {
            throw UpstreamError(message: "\(error)")
        }
    }

    func cut() { connection.cut() }

    func close() { connection.close() }
}
