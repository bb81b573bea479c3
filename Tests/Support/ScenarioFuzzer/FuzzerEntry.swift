/// Checks one input. libFuzzer, with which `make fuzz` links this, calls it with every input that it generates.
@_cdecl("LLVMFuzzerTestOneInput")
public func readAndPlay(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    if let fault = ScenarioCheck.fault(with: bytes) { fatalError(fault) }
    return 0
}
