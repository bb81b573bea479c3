/// A request of a project for uses of secrets: the services, and the sandbox around the program that uses them.
///
/// A profile comes with a project, so it is not trusted. It narrows what each secret may be lent for, and never widens it.
package struct LoanProfile: Hashable, Sendable {
    /// The name of the borrower, which prompts and the log have.
    package var name: String
    package var sandbox: LoanSandbox
    /// The services, in the order of the file.
    package var services: [LoanService]

    package init(name: String, sandbox: LoanSandbox, services: [LoanService]) {
        (self.name, self.sandbox, self.services) = (name, sandbox, services)
    }

    /// The profile in lines. Two profiles that allow different things have different lines.
    package var lines: [String] { lines { $0 } }

    /// Returns the profile in lines: what a person agrees to before its first use and after each change. `place` returns the place
    /// that a path of the sandbox leads to.
    package func lines(at place: (String) -> String) -> [String] {
        ["lend \(name)"] + sandbox.lines(at: place) + services.flatMap { $0.lines }
    }
}

/// The sandbox of a profile. It has no network but what is lent.
package struct LoanSandbox: Hashable, Sendable {
    /// The folder that the program may change.
    package var work: String
    /// The files and folders that it may read.
    package var reads: [String]

    package init(work: String = ".", reads: [String] = []) { (self.work, self.reads) = (work, reads) }

    fileprivate func lines(at place: (String) -> String) -> [String] {
        ["  works in \(place(work))"] + reads.map { "  reads \(place($0))" } + ["  has no network but what is lent"]
    }
}
