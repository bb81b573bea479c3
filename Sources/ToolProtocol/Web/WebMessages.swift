/// A request by HTTP, as far as the tools need it.
package struct WebRequest: Sendable {
    /// The only path that is served.
    package static let served = "/mcp"

    package var method: String
    /// The path, without a query.
    package var path: String
    /// The fields, with names in lowercase.
    package var fields: [(name: String, value: String)]
    package var body: [UInt8]

    package init(method: String, path: String, fields: [(name: String, value: String)], body: [UInt8]) {
        (self.method, self.path, self.fields, self.body) = (method, path, fields, body)
    }

    /// Returns the value of a field that stands at most once; nil if it is absent.
    func only(_ name: String) throws(WebFault) -> String? {
        let values = fields.filter { $0.name == name }
        guard values.count <= 1 else { throw WebFault(status: 400, Fault(.headerMismatch, "\(name) stands twice.")) }
        return values.first?.value
    }
}

/// An answer by HTTP.
package struct WebResponse: Sendable {
    package var status: Int
    /// The fields beside those of the body.
    package var fields: [(name: String, value: String)]
    /// The type of the body; nil without a body.
    package var contentType: String?
    package var body: [UInt8]

    init(_ status: Int, fields: [(name: String, value: String)] = [], json: [UInt8]? = nil) {
        (self.status, self.fields, body) = (status, fields, json ?? [])
        contentType = json == nil ? nil : "application/json"
    }
}

/// An error of a request by HTTP.
struct WebFault: Error, Sendable {
    let status: Int
    let fault: Fault?
    let fields: [(name: String, value: String)]

    init(status: Int, _ fault: Fault? = nil, fields: [(name: String, value: String)] = []) {
        (self.status, self.fault, self.fields) = (status, fault, fields)
    }
}
