import SodiumKit
import TLSClient

extension TLSClient {
    /// A client that trusts the authority of the tests.
    static func ofTests(_ authority: String = "ca") throws -> TLSClient {
        try TLSClient(trusting: .file(TestAuthority.shared.get().path(authority + ".pem")))
    }

    /// Connects to a server of the tests.
    func connect(_ server: TestServer, to host: String = "localhost") throws -> TLSConnection {
        try connect(to: host, port: server.port, addresses: .any, withinMilliseconds: patience)
    }
}

extension TLSConnection {
    func write(_ bytes: [UInt8]) throws { try write(bytes.span.bytes, withinMilliseconds: patience) }

    /// Returns some bytes; none at the end.
    func read(_ most: Int = 65_536, withinMilliseconds milliseconds: Int = patience) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: most)
        let count = try bytes.withUnsafeMutableBytes { (bytes) throws(TLSError) in
            try read(into: bytes, withinMilliseconds: milliseconds)
        }
        return Array(bytes.prefix(count))
    }

    /// Returns this many bytes, or all up to the end.
    func read(exactly count: Int) throws -> [UInt8] {
        var all: [UInt8] = []
        while all.count < count {
            let more = try read(count - all.count)
            if more.isEmpty { break }
            all += more
        }
        return all
    }
}

/// Returns the error that `body` throws; nil if it throws none.
func error(of body: () throws -> Void) -> TLSError? {
    do {
        try body()
        return nil
    } catch {
        return error as? TLSError
    }
}

extension TLSError {
    var isOfProtocol: Bool {
        if case .protocolFailure = self { return true }
        return false
    }
}
