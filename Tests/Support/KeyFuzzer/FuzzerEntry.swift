/// Checks one input. `Scripts/fuzz` gives libFuzzer this function under the name that it calls.
@_cdecl("fuzz_keys")
public func readAndUse(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    if let fault = KeyCheck.fault(with: bytes) { fatalError(fault) }
    return 0
}
