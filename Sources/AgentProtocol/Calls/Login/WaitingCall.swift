internal import PlainText

/// Lists the requests whose prompts wait for a terminal.
package struct WaitingCall: LookingCall {
    package static let verb = Verb.waiting

    package init() {}

    /// The requests that wait for a terminal, and those that another terminal shows.
    package struct Reply: CallReply, Hashable {
        /// The requests, in the order in which they came.
        package var requests: [WaitingRequest] = []

        package init() {}

        package init(requests: [WaitingRequest]) { self.requests = requests }

        package var head: WireObject { WireObject(["requests": .array(requests.map { .object($0.head.fields) })]) }

        package mutating func read(from head: inout WireObject) throws(WireError) {
            requests = []
            for value in try head.consumeList("requests") {
                guard var fields = WireObject(value) else { throw .malformed("\"requests\" is a list of objects") }
                requests.append(try WaitingRequest(reading: &fields))
            }
        }
    }
}
