package import AccessPolicy

/// An access to a file and the rule that decided about it, as the audit log counts them.
package struct FileVerdict: Hashable, Sendable {
    package let access: FileAccess
    package let rule: FileRule

    package init(access: FileAccess, rule: FileRule) {
        self.access = access
        self.rule = rule
    }
}

extension FileAccess {
    /// The word that the audit log stores for an access to a file: the access and the class of the file.
    package var auditWord: String {
        switch self {
        case .create(let protection): "create-file \(protection.name)"
        case .open(let protection): "open-file \(protection.name)"
        case .use(let protection): "use-file \(protection.name)"
        case .protect(let former, let next): "protect-file \(former.name), \(next.name)"
        case .manage(let protection): "manage-file \(protection.name)"
        }
    }
}
