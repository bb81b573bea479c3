// The types of items, attributes and errors are those of the store, and come with `import SecretVault`.
@_exported public import VaultStore
