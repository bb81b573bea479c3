// Files are created in these classes, and errors name these rules.
@_exported public import enum AccessPolicy.FileProtection
@_exported public import enum AccessPolicy.FileRule
