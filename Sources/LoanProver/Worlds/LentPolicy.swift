package import AccessPolicy

/// The access policy of a secret that is lent.
package struct LentPolicy: Hashable, Sendable {
    package var control: AccessControl
    /// True if one authentication counts for a while.
    package var reuses: Bool

    package init(_ control: AccessControl, reuses: Bool) {
        self.control = control
        self.reuses = reuses && control.canReuse
    }
}
