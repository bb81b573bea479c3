/// A use that was counted, with what was made for it.
struct TakenUse<Value: ~Copyable>: ~Copyable {
    let number: Int
    var value: Value
}
