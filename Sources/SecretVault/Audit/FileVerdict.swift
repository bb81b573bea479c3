internal import AccessPolicy

/// An access to a file and the rule that decided about it, as the audit log counts them.
struct FileVerdict: Hashable, Sendable {
    let access: FileAccess
    let rule: FileRule
}
