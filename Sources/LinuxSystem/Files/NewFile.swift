internal import CLinux
internal import Glibc

/// Gives a file its name once the file is complete, and never replaces another file.
package enum NewFile {
    /// The calls into the system. Each returns 0 or the system's error number.
    package struct Calls: Sendable {
        /// Renames `draft` to `path` unless something is at `path`.
        package var renameToNew: @Sendable (_ draft: String, _ path: String) -> Int32
        /// Creates a hard link to `draft` at `path`.
        package var link: @Sendable (_ draft: String, _ path: String) -> Int32

        /// Creates a set of calls: the system's own, or others that fail as a test wants.
        package init(
            renameToNew: @escaping @Sendable (String, String) -> Int32 = { draft, path in
                draft.withPath { draft in path.withPath { latchkey_rename_to_new(draft, $0) } }
            },
            link: @escaping @Sendable (String, String) -> Int32 = { draft, path in
                draft.withPath { draft in path.withPath { Glibc.link(draft, $0) } } == 0 ? 0 : errno
            }
        ) {
            self.renameToNew = renameToNew
            self.link = link
        }
    }

    /// Moves the file at `draft` to `path` unless something is there. Returns 0 or the system's error number, which is
    /// `EEXIST` in that case. After an error the draft stays where it is.
    ///
    /// FAT has no hard links, and network file systems often cannot rename without replacing. If a file system has
    /// neither, an empty file takes the name first, so that no other process can have it, and the draft then replaces
    /// that file. If the process is killed in between, the empty file stays; such a file system has no call that does
    /// both in one step.
    package static func place(_ draft: String, at path: String, _ calls: Calls = Calls()) -> Int32 {
        let renamed = calls.renameToNew(draft, path)
        guard [EINVAL, ENOSYS, EOPNOTSUPP].contains(renamed) else { return renamed }
        let linked = calls.link(draft, path)
        if linked == 0 {
            unlink(draft)
            return 0
        }
        guard [EPERM, EINVAL, ENOSYS, EOPNOTSUPP].contains(linked) else { return linked }
        let taken = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard taken >= 0 else { return errno }
        close(taken)
        if rename(draft, path) == 0 { return 0 }
        let code = errno
        unlink(path)
        return code
    }
}
