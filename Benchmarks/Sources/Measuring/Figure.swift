internal import Glibc

/// One figure of the table.
public struct Figure {
    let name: String
    let value: Double
    let unit: String
    let runs: Int

    /// Creates a figure.
    public init(name: String, value: Double, unit: String, runs: Int) {
        self.name = name
        self.value = value
        self.unit = unit
        self.runs = runs
    }

    /// Prints the figure as a line of JSON.
    public func print() {
        Swift.print("{\"name\": \"\(name)\", \"value\": \(value), \"unit\": \"\(unit)\", \"runs\": \(runs)}")
    }
}

/// The processor time that this process has used, in nanoseconds. The work of other processes hardly affects it.
public var processorNanoseconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
}

/// Returns the time that `body` takes, in nanoseconds.
public func nanoseconds<Failure: Error>(_ body: () throws(Failure) -> Void) throws(Failure) -> Double {
    let clock = ContinuousClock()
    let start = clock.now
    try body()
    let taken = (clock.now - start).components
    return Double(taken.seconds) * 1e9 + Double(taken.attoseconds) / 1e9
}

/// Returns the median time of `body` per piece of work, of which it does `count`, in nanoseconds.
public func nanoseconds(per count: Int, runs: Int = 31, _ body: () -> Void) -> Double {
    body()
    return median((0..<runs).map { _ in nanoseconds(body) / Double(count) })
}

/// Returns the median.
public func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

/// Uses a value, so that the optimizer does not remove the work that computes it.
@inlinable @inline(never) public func keep<Value>(_ value: borrowing Value) {}
