import SecretTools
import TestSupport
import Testing

/// Names, their order, and their lists.
@Suite struct SecretNameTests {
    private func names(_ texts: String...) throws -> [SecretName] { try texts.map { try SecretName($0) } }

    @Test(arguments: [
        "a", "work/github/token", "a b/c d", "..a/...", ".env", "ключ/пароль", "名前", "a\\b", "*", "❤️", "-", " ",
        String(repeating: "a", count: 1024), String(repeating: "a/", count: 511) + "b",
    ])
    func namesAreTakenAsTheyAre(text: String) throws {
        let name = try SecretName(text)
        #expect(name.text == text)
        #expect(name.parts.joined(separator: "/") == text)
    }

    /// The mistakes in names, and the suggested names.
    @Test func othersAreRefusedWithAWayOut() {
        let rows: [(text: String, fault: SecretNameError.Fault, instead: String)] = [
            ("", .empty, "work/github/token"), ("/", .emptyPart, "work/github/token"), ("/a", .emptyPart, "a"),
            ("a/", .emptyPart, "a"), ("a//b", .emptyPart, "a/b"), (".", .dots("."), "_"),
            ("a/../b", .dots(".."), "a/__/b"),
            ("a\nb", .unprintable("\n"), "a b"), ("a\0b", .unprintable("\0"), "ab"),
            ("a\u{7F}", .unprintable("\u{7F}"), "a"),
            ("a\u{85}b", .unprintable("\u{85}"), "a b"), ("a\u{202E}b", .unprintable("\u{202E}"), "ab"),
            ("a\u{2066}b", .unprintable("\u{2066}"), "ab"), ("a\u{200B}b", .unprintable("\u{200B}"), "ab"),
            ("a\u{200D}b", .unprintable("\u{200D}"), "ab"), ("\u{FEFF}a", .unprintable("\u{FEFF}"), "a"),
            ("a\u{2028}b", .unprintable("\u{2028}"), "a b"), ("a\u{AD}b", .unprintable("\u{AD}"), "ab"),
            ("a\u{3164}b", .unprintable("\u{3164}"), "ab"), ("a\u{E0041}b", .unprintable("\u{E0041}"), "ab"),
            (String(repeating: "é", count: 513), .tooLong(1026), String(repeating: "é", count: 512)),
        ]
        for row in rows {
            do throws(SecretNameError) {
                _ = try SecretName(row.text)
                Issue.record("\(row.text.debugDescription) is taken")
            } catch {
                #expect(error.fault == row.fault)
                #expect(error.instead == row.instead)
                #expect((try? SecretName(error.instead)) != nil)
                let isPlain = error.description.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
                #expect(isPlain && !error.description.unicodeScalars.contains("\u{202E}"))
            }
        }
    }

    @Test func parentsAreFolders() throws {
        let name = try SecretName("a/b c/d")
        #expect(name.parent?.text == "a/b c")
        #expect(name.parent?.parent?.text == "a")
        #expect(name.parent?.parent?.parent == nil)
        #expect(try SecretName("\u{E9}") != SecretName("e\u{301}"))
    }

    /// In a text, a slash and an accent after it are one character. In a path they are not.
    @Test func aSlashIsASlashWhateverFollowsIt() throws {
        let name = try SecretName("a/\u{301}x")
        #expect(name.parts.map(String.init) == ["a", "\u{301}x"])
        #expect(name.parent?.text == "a")
        for text in ["../\u{301}x", "a/../\u{301}b", "a/\u{301}/../b"] {
            #expect(throws: SecretNameError.self) { try SecretName(text) }
        }
        #expect(NameFilter("f\u{D4E}/").matches(try SecretName("f\u{D4E}/x")))
        #expect(!NameFilter("f\u{D4E}/").matches(try SecretName("f/x")))
    }

    @Test func theOrderIsNaturalAndKeepsFoldersTogether() throws {
        let sorted = try names(
            "A", "A/x", "A/y", "a", "a/x", "a b", "a!", "b/1", "b/01", "b/2", "b/2/z", "b/10", "b/10a", "b/a", "Key2",
            "key10",
            "key10/9", "key10/10", "z", "É", "é")
        for (place, name) in sorted.enumerated() {
            for (other, otherName) in sorted.enumerated() {
                #expect((name < otherName) == (place < other), "\(name) and \(otherName)")
            }
        }
    }

    @Test func anyThreeAreInOneOrder() throws {
        var generator = SeededGenerator(seed: 1)
        let letters = ["a", "A", "b", "0", "1", "10", "/", "é", " "]
        var names: [SecretName] = []
        while names.count < 120 {
            let text = (0..<Int.random(in: 1...5, using: &generator)).map { _ in generator.pick(letters) }.joined()
            if let name = try? SecretName(text) { names.append(name) }
        }
        for one in names {
            for two in names {
                #expect([one < two, two < one, one == two].count { $0 } == 1)
                for three in names where one < two && two < three { #expect(one < three) }
            }
        }
    }

    @Test func aTreeShowsFoldersAndSecrets() throws {
        let tree = NameTree(
            try names("work/github/token", "work/github/app/key", "work/github", "alone", "work/aws", "zoo/a/b"))
        #expect(
            tree.lines() == [
                "alone", "work/", "├── aws", "├── github", "└── github/", "    ├── app/", "    │   └── key",
                "    └── token",
                "zoo/", "└── a/", "    └── b",
            ])
        #expect(
            tree.lines(.ascii) == [
                "alone", "work/", "|-- aws", "|-- github", "`-- github/", "    |-- app/", "    |   `-- key",
                "    `-- token", "zoo/", "`-- a/", "    `-- b",
            ])
        #expect(NameTree([]).lines() == [])
    }

    @Test func everySecretHasOneLine() throws {
        var generator = SeededGenerator(seed: 2)
        let names = Set(
            (0..<3000).compactMap { _ in
                try? SecretName(
                    (0..<Int.random(in: 1...4, using: &generator)).map { _ in
                        generator.pick(["a", "A", "b", "01", "1"])
                    }
                    .joined(separator: "/"))
            })
        let lines = NameTree(names).lines()
        #expect(lines.count { !$0.hasSuffix("/") } == names.count)
        let folders = Set(names.flatMap { name in (1..<max(1, name.parts.count)).map { name.parts.prefix($0) } })
        #expect(lines.count { $0.hasSuffix("/") } == folders.count)
    }

    @Test func filtersChooseFoldersOrPatterns() throws {
        let all = try names("work", "work/a", "work/a/b", "workshop", "home/work", "aXbXc")
        let rows: [(filter: String, found: [String])] = [
            ("", all.map(\.text)), ("/", all.map(\.text)), ("work", ["work", "work/a", "work/a/b"]),
            ("work/", ["work", "work/a", "work/a/b"]), ("work/a", ["work/a", "work/a/b"]), ("wor", []),
            ("*", all.map(\.text)),
            ("work*", ["work", "work/a", "work/a/b", "workshop"]), ("work/*", ["work/a", "work/a/b"]),
            ("*work", ["work", "home/work"]), ("*/*b", ["work/a/b"]), ("a*X*c", ["aXbXc"]), ("a*XX*c", []),
            ("aXb*bXc", []),
            ("**", all.map(\.text)), ("*X*X*X*", []),
        ]
        for row in rows {
            let filter = NameFilter(row.filter)
            #expect(all.filter { filter.matches($0) }.map(\.text) == row.found, "\(row.filter)")
        }
    }
}
