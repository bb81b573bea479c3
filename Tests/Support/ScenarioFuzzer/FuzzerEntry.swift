/// Checks one input. `Scripts/fuzz` gives libFuzzer this function under the name that it calls.
@_cdecl("fuzz_scenarios")
public func readAndPlay(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    if let fault = ScenarioCheck.fault(with: bytes) { fatalError(fault) }
    return 0
}
