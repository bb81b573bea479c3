package import AccessPolicy

extension AccessControl {
    /// Creates an access policy with flags that the code names, and that no rule refuses.
    package init(_ protection: Accessibility, allowed flags: AccessControlFlags) {
        do { try self.init(protection: protection, flags: flags) } catch { preconditionFailure("\(error)") }
    }
}
