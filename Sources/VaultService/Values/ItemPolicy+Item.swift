internal import AccessPolicy
package import AgentProtocol
package import SecretVault

extension ItemPolicy {
    package init(_ item: ItemDescription) {
        self.init(item.control.protection, item.control.flags, allowsReuse: item.allowsReuse)
    }
}
