import Foundation
import Glibc
import Measuring

/// Measures a protected folder on an ext4 image of its own: the time until the kernel has forgotten it after a lock, and
/// the speed of sqlite3 in it against the same folder unprotected. It needs root, for the mount.
func folders(_ folder: String) throws -> [Figure] {
    guard geteuid() == 0 else {
        FileHandle.standardError.write(Data("folders: skipped: needs root\n".utf8))
        return []
    }
    let disk = try MountedImage(at: folder + "/folders")
    let vault = try HeldVault(0, at: folder + "/folders-vault")
    let (inside, outside) = (disk.path + "/inside", disk.path + "/outside")
    try FileManager.default.createDirectory(atPath: outside, withIntermediateDirectories: false)
    try run(
        ".build/release/latchkey", ["folder", "protect", inside, "--vault", vault.path],
        ["XDG_RUNTIME_DIR": vault.runtime, "HOME": vault.path])
    return try lockTimes(of: vault, inside) + databaseSpeed(inside, outside)
}

/// Each time, the content of 1,000 files was read and is in the kernel's memory.
private func lockTimes(of vault: HeldVault, _ inside: String) throws -> [Figure] {
    let files = (0..<1_000).map { "\(inside)/\($0)" }
    for file in files { try Data(repeating: 7, count: 4096).write(to: URL(filePath: file)) }
    let control = try vault.connect()
    let times = try (0..<15).map { _ in
        for file in files {
            guard try Data(contentsOf: URL(filePath: file)).count == 4096 else { throw CannotMeasure() }
        }
        let taken = try nanoseconds {
            try control.ask("{\"do\":\"lock\"}")
            // The answer comes once the kernel has forgotten the folder.
            try control.ask("{\"do\":\"encrypted-folders\"}")
        }
        guard access(files[0], F_OK) != 0 else { throw CannotMeasure() }
        try vault.unlock()
        // On a busy machine, the folder may open after the answer.
        for _ in 0..<30_000 where access(files[0], F_OK) != 0 { usleep(1000) }
        return taken / 1e6
    }
    for file in files { try FileManager.default.removeItem(atPath: file) }
    return [Figure(name: "folder.lock.ms", value: median(times), unit: "ms", runs: times.count)]
}

/// Runs the same script inside and outside in turns, on fresh databases.
private func databaseSpeed(_ inside: String, _ outside: String) throws -> [Figure] {
    var times: [String: [Double]] = [:]
    for round in 0..<15 {
        for folder in round % 2 == 0 ? [inside, outside] : [outside, inside] {
            let taken = try nanoseconds { try run("sqlite3", ["\(folder)/db", script], [:]) }
            times[folder, default: []].append(taken / 1e6)
            for name in ["db", "db-journal"] { try? FileManager.default.removeItem(atPath: "\(folder)/\(name)") }
        }
    }
    let (ours, bare) = (median(times[inside] ?? []), median(times[outside] ?? []))
    return [
        Figure(name: "folder.sqlite.ms", value: ours, unit: "ms", runs: 15),
        Figure(name: "folder.sqlite.vs_outside.ratio", value: bare / ours, unit: "of the speed", runs: 15),
    ]
}

/// Inserts, updates, an index and a scan, all on the disk before sqlite3 goes on.
private let script = """
    PRAGMA synchronous=FULL;
    CREATE TABLE notes(id INTEGER PRIMARY KEY, day INTEGER, text TEXT);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i < 40000)
      INSERT INTO notes SELECT i, i % 365, hex(randomblob(100)) FROM n;
    UPDATE notes SET text = text || 'x' WHERE day < 100;
    CREATE INDEX by_day ON notes(day);
    INSERT INTO notes(day, text) VALUES (1, 'a'); INSERT INTO notes(day, text) VALUES (2, 'b');
    INSERT INTO notes(day, text) VALUES (3, 'c'); INSERT INTO notes(day, text) VALUES (4, 'd');
    SELECT sum(length(text)), count(*) FROM notes WHERE text LIKE '%AB%';
    """

/// An ext4 file system in a file, which can encrypt.
private final class MountedImage {
    let path: String
    private let image: String

    init(at path: String) throws {
        (self.path, image) = (path, path + ".image")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        guard FileManager.default.createFile(atPath: image, contents: nil), truncate(image, 256 << 20) == 0 else {
            throw CannotMeasure()
        }
        try run("mkfs.ext4", ["-q", "-F", "-O", "encrypt", image], [:])
        try run("mount", ["-o", "loop", image, path], [:])
    }

    deinit { try? run("umount", [path], [:]) }
}

/// Runs a program until it ends, and throws if it fails.
///
/// Foundation's `Process` waits for one child after the other, and the agent of the vault is a child that goes on.
private func run(_ program: String, _ arguments: [String], _ environment: [String: String]) throws {
    let all = ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LATCHKEY_PROMPT": "never"].merging(environment) { $1 }
    let words = ([program] + arguments).map { strdup($0) } + [nil]
    let variables = all.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in words + variables { free(text) } }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    var child: pid_t = 0
    guard posix_spawnp(&child, program, &actions, nil, words, variables) == 0 else { throw CannotMeasure() }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0 { guard errno == EINTR else { throw CannotMeasure() } }
    guard status == 0 else {
        FileHandle.standardError.write(Data("folders: \(program) \(arguments.joined(separator: " ")) failed\n".utf8))
        throw CannotMeasure()
    }
}
