package import SodiumKit

/// A search for rows: those of a class, with these values in columns. It finds every row if it names nothing.
package struct RowSearch: Sendable {
    /// The class of the items; nil for any.
    package var itemClass: ItemClass?
    /// The hashes that columns hold, each column once and in the order of their numbers.
    package var columns: [(column: IndexColumn, tag: Tag)] = []
    /// The last date of rows that are set aside; nil for any date.
    package var lastDate: Int64?
    /// True if `each` reads many rows, each once, so that keeping them in memory is of no use.
    package var readsAll = false

    package init(
        _ itemClass: ItemClass? = nil, _ columns: [(column: IndexColumn, tag: Tag)] = [], until lastDate: Int64? = nil,
        readsAll: Bool = false
    ) {
        self.itemClass = itemClass
        self.columns = columns
        self.lastDate = lastDate
        self.readsAll = readsAll
    }
}
