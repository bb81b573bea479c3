import LocalWeb
import TestSupport

extension LocalServer {
    /// The secret part of the address.
    var token: String { String(address.split(separator: "/")[2]) }

    /// Sends one text on a connection of its own, and returns the answer.
    func answer(to text: String) throws -> String {
        let client = try LoopbackClient(port: port)
        client.send(text)
        return client.rest()
    }

    /// Returns the answer to a proper request.
    func get(_ path: String) throws -> String {
        try answer(to: "GET /\(token)/\(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n")
    }
}
