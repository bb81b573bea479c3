internal import LinuxSystem

/// A program that changes a file.
struct FileChanger {
    /// The name in errors.
    var name: String
    var path: String
    /// The words that it starts with, before the path of the file.
    var words: [String]
    /// The words that tell the user another way if this one is closed.
    var otherWay: String
    var environment = Child.environmentHere
    /// Its descriptors.
    var child = Child()
    /// True if it does a step of this command: it leaves no core dump, and a signal that ends it ends this process too. A program of
    /// the user's own has its own ways.
    var isStep = false
}
