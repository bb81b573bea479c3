internal import AccessPolicy

extension Format {
    private static let protection = Vocabulary.shape("protection class", Vocabulary.protections)

    /// The shape of a file: the name of its class, a mapping, or nothing for the default class.
    static let file = Shape.either([
        .nothing, protection,
        .record(
            Shape.Record(
                "a file",
                [
                    Shape.Field(
                        "protection", protection,
                        "its protection class, by the name of FileProtectionType; default: \(FileProtection.usual)"),
                    Shape.Field("excludedFromBackup", .truth, "whether backups leave it out; default: false"),
                    Shape.Field("stored", .truth, "whether it exists at the beginning; default: true"),
                    Shape.Field("open", .truth, "whether the app holds it open at the beginning; default: false"),
                ])),
    ])

    static let fileRequests: [Shape.Action] = {
        let ofNew = Shape.Field(
            "protection", protection,
            "the class of the new file; default: that of the former one, or the declared class")
        return [
            .init(
                .init("write", .text, "saves the file atomically: a new file takes its place, and is closed"),
                with: [ofNew]),
            .init(.init("begin", .text, "creates the file, if there is none, and leaves it open"), with: [ofNew]),
            .init(
                .init(
                    "open", .text, "opens the file and reads it; it stays open until `close`, a restart or an erasure")),
            .init(.init("append", .text, "writes to the file; if it is not open, opens it first and closes it then")),
            .init(.init("close", .text, "closes the file")),
            .init(
                .init("rename", .text, "renames the file; it takes the place of the one with that name"),
                with: [.init("to", .text, "the new name: another file of the scenario", isRequired: true)]),
            .init(
                .init("protect", .text, "moves the file to another class"),
                with: [.init("as", protection, "the next class", isRequired: true)]),
            .init(.init("exclude", .text, "excludes the file from backups")),
            .init(.init("unlink", .text, "deletes the file")),
        ]
    }()
}
