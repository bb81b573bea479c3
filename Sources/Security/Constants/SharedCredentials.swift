// Shared web credentials and generated passwords (semantics 2.14).

public import Foundation

/// The password of a shared web credential.
public nonisolated(unsafe) let kSecSharedPassword: CFString = "spwd"
/// How long a generated password is at most.
public nonisolated(unsafe) let kSecPasswordMaxLength: CFString = "PasswordMaxLength"
/// How long a generated password is at least. Apple's source has the text of ``kSecPasswordMaxLength`` for it.
public nonisolated(unsafe) let kSecPasswordMinLength: CFString = "PasswordMaxLength"
/// The characters that a generated password may have.
public nonisolated(unsafe) let kSecPasswordAllowedCharacters: CFString = "PasswordAllowedCharacters"
/// The characters that a generated password has to have.
public nonisolated(unsafe) let kSecPasswordRequiredCharacters: CFString = "PasswordRequiredCharacters"
