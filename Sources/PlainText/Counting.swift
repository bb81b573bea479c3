/// Returns a count with its noun, such as `1 step` or `2 steps`. `several` is the plural if it needs more than an `s`.
package func counted(_ count: Int, _ one: String, _ several: String? = nil) -> String {
    "\(count) \(count == 1 ? one : several ?? one + "s")"
}

/// Returns a time as people read it, such as `4 minutes and 8 seconds`: every place in the program writes one in this form.
package func counted(seconds: Int) -> String {
    let (days, hours) = (seconds / 86_400, seconds / 3600 % 24)
    let parts = [(days, "day"), (hours, "hour"), (seconds / 60 % 60, "minute"), (seconds % 60, "second")]
    let words = parts.filter { $0.0 > 0 }.map { counted($0.0, $0.1) }
    guard let last = words.last else { return counted(0, "second") }
    return words.count == 1 ? last : words.dropLast().joined(separator: ", ") + " and " + last
}
