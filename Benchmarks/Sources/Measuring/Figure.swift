internal import Glibc

/// One figure, as it goes into the table.
public struct Figure {
    let name: String
    let value: Double
    let unit: String
    let runs: Int

    /// A figure of this name.
    public init(name: String, value: Double, unit: String, runs: Int) {
        self.name = name
        self.value = value
        self.unit = unit
        self.runs = runs
    }

    /// Prints it as a line of JSON.
    public func print() {
        Swift.print("{\"name\": \"\(name)\", \"value\": \(value), \"unit\": \"\(unit)\", \"runs\": \(runs)}")
    }
}

/// How much of a processor's time this process has had, in nanoseconds: what others do at the same time counts for little in it.
public var processorNanoseconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
}

/// How long `body` takes, in nanoseconds.
public func nanoseconds<Failure: Error>(_ body: () throws(Failure) -> Void) throws(Failure) -> Double {
    let clock = ContinuousClock()
    let start = clock.now
    try body()
    let taken = (clock.now - start).components
    return Double(taken.seconds) * 1e9 + Double(taken.attoseconds) / 1e9
}

/// The median time of `body`, in nanoseconds for each of its `count` pieces of work.
public func nanoseconds(per count: Int, runs: Int = 31, _ body: () -> Void) -> Double {
    body()
    return median((0..<runs).map { _ in nanoseconds(body) / Double(count) })
}

/// The one in the middle.
public func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

/// Keeps the optimizer from leaving out work whose result nobody uses.
@inlinable @inline(never) public func keep<Value>(_ value: borrowing Value) {}
