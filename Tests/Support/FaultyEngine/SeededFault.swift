/// The number of the fault that is awake; zero for none.
package nonisolated(unsafe) var seededFault = 0

/// Returns true if the fault with this number is awake.
package func isSeeded(_ number: Int) -> Bool { seededFault == number }
