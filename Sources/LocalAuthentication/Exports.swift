// The numbers of errors are of C, and apps see them as members of `LAError`.
@_exported public import CLocalAuthentication
// Apple's module brings these two along.
@_exported public import Foundation
@_exported public import Security
