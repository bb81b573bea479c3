internal import LatchkeyCLI
internal import PolicyReports

/// The settings of one run of `latchkey test`.
struct TestOrder {
    var paths: [String] = []
    var filters: [String] = []
    var shard: (part: Int, count: Int)?
    var seed: UInt64?
    var stopsEarly = false
    var format = ReportFormat.human
    var output: String?
    var namesAll = false
    var tellsCoverage = false
    var leastCoverage: Double?
    var mutates = false
    var leastNoticed: Double?
}
