// Apple's module brings these two along.
@_exported public import Foundation
@_exported public import Security
