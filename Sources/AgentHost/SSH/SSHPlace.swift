internal import AgentProtocol

/// The place of one SSH client among those that the agent serves.
package struct SSHPlace: Sendable {
    /// The present use of a place.
    package enum Activity: Int, Comparable, Sendable {
        /// The client has sent nothing that is not answered.
        case none
        /// A signature waits for others with the same key.
        case waiting
        /// The agent works for the client, or its user has a prompt.
        case working

        /// Returns true if the first one is less than the other.
        package static func < (one: Activity, other: Activity) -> Bool { one.rawValue < other.rawValue }
    }

    var activity: Activity
    var process: Int32
    var began: Int64

    /// Creates the place of a client that this process is, and that connected at this time.
    package init(_ activity: Activity, process: Int32, began: Int64) {
        (self.activity, self.process, self.began) = (activity, process, began)
    }

    /// Returns the index of the place that a new client gets; nil if it gets none. An idle client goes before one that
    /// waits. Among those, the process with the most clients loses its oldest one. One that the agent works for stays.
    package static func next(of places: [SSHPlace]) -> Int? {
        var counts: [Int32: Int] = [:]
        for place in places { counts[place.process, default: 0] += 1 }
        func rank(_ place: SSHPlace) -> (Activity, Int, Int64) {
            (place.activity, -(counts[place.process] ?? 0), place.began)
        }
        return places.indices.filter { places[$0].activity != .working }.min { rank(places[$0]) < rank(places[$1]) }
    }
}
