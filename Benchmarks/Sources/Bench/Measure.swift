import CAllocationCounter

/// One figure, as it goes into the table.
struct Figure {
    let name: String
    let value: Double
    let unit: String
    let runs: Int
}

/// The median time of `body`, in nanoseconds for each of its `count` pieces of work.
func nanoseconds(per count: Int, runs: Int = 31, _ body: () -> Void) -> Double {
    let clock = ContinuousClock()
    body()
    let times = (0..<runs).map { _ in
        let taken = clock.measure(body).components
        return (Double(taken.seconds) * 1e9 + Double(taken.attoseconds) / 1e9) / Double(count)
    }
    return times.sorted()[runs / 2]
}

/// How many blocks `body` allocates.
func allocations(_ body: () -> Void) -> Int {
    let probe = allocation_count()
    let block = UnsafeMutableRawPointer.allocate(byteCount: 100, alignment: 8)
    keep(block)
    block.deallocate()
    precondition(allocation_count() > probe, "the counter does not count")
    body()
    let before = allocation_count()
    body()
    return Int(allocation_count() - before)
}

/// Keeps the optimiser from leaving out work whose result nobody uses.
@inline(never) func keep<Value>(_ value: borrowing Value) {}
