import CAllocationCounter
import Measuring

/// Returns the number of blocks that `body` allocates.
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
