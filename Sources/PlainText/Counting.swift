/// Returns a count with its noun, such as `1 step` or `2 steps`. `several` is the plural if it needs more than an `s`.
package func counted(_ count: Int, _ one: String, _ several: String? = nil) -> String {
    "\(count) \(count == 1 ? one : several ?? one + "s")"
}
