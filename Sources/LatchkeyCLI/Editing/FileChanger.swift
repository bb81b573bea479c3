package import LinuxSystem

/// A program that changes a file.
package struct FileChanger {
    /// The name in errors.
    package var name: String
    package var path: String
    /// The words that it starts with, before the path of the file.
    package var words: [String]
    /// The words that tell the user another way if this one is closed.
    var otherWay: String
    package var environment = Child.environmentHere
    /// Its descriptors.
    package var child = Child()
    /// True if it does a step of this command: it leaves no core dump, and a signal that ends it ends this process too. A program of
    /// the user's own has its own ways.
    package var isStep = false

    package init(name: String, path: String, words: [String], otherWay: String) {
        (self.name, self.path, self.words, self.otherWay) = (name, path, words, otherWay)
    }
}
