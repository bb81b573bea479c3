/// The end of a list, whose items came in parts before it.
package struct ListReply: CallReply, WireValue, Hashable {
    /// The number of items that were sent.
    package var count = 0
    /// The number of items that the list leaves out because they are locked.
    package var locked = 0
    /// The number of items that the list leaves out because they are damaged.
    package var damaged = 0

    package init() {}

    package init(count: Int, locked: Int, damaged: Int) {
        (self.count, self.locked, self.damaged) = (count, locked, damaged)
    }

    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try coder.number("count", &count)
        try coder.number("locked", &locked)
        try coder.number("damaged", &damaged)
    }
}
