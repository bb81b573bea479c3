/// An error that ends a command with a message for the user.
package struct CommandError: Error, CustomStringConvertible {
    package let description: String
    /// The exit status of the command.
    package let status: Int32

    package init(_ description: String, status: Int32 = 1) { (self.description, self.status) = (description, status) }
}
