/// Which of the faults is awake; zero for none.
package nonisolated(unsafe) var seededFault = 0

/// Returns true if this one is.
package func isSeeded(_ number: Int) -> Bool { seededFault == number }
