import Foundation
import TestSupport
import Testing

extension SSHTests {
    /// A module that passes everything on to that of a card in software, until it is told to do something else.
    private final class TurningModule {
        private let module: CompiledModule
        private var folder: String { module.folder }
        var path: String { module.path }

        /// What the module does instead.
        enum Order: String {
            case nothing, endsEarly, endsAtLogin, ownPIN, forges, exaggerates, waits
        }

        static let isPossible = CompiledModule.isPossible && SoftCard.isThere

        init(in home: String) throws {
            module = try CompiledModule(Self.source, ["REAL": SoftCard.module], in: home)
        }

        func follow(_ order: Order) throws {
            try? FileManager.default.removeItem(atPath: folder + "/waiting")
            try order.rawValue.write(toFile: folder + "/order", atomically: true, encoding: .utf8)
        }

        /// The number of PINs that the card got.
        var tries: Int { (try? String(contentsOfFile: folder + "/tries", encoding: .utf8))?.count ?? 0 }

        /// True if the module waits for another order.
        var isWaiting: Bool { FileManager.default.fileExists(atPath: folder + "/waiting") }

        /// The address of a key on the card.
        func address(_ number: String) -> String { "pkcs11:token=Card;id=%\(number)?module-path=\(path)" }

        private static let source = """
            #define CRYPTOKI_GNU 1
            #include <p11-kit-1/p11-kit/pkcs11.h>
            #include <dlfcn.h>
            #include <stdio.h>
            #include <string.h>
            #include <unistd.h>

            static struct ck_function_list functions, *real;

            static int told(const char *order) {
                char word[32] = "";
                FILE *file = fopen(FOLDER "/order", "r");
                if (!file) return 0;
                if (fscanf(file, "%31s", word) != 1) word[0] = 0;
                fclose(file);
                return strcmp(word, order) == 0;
            }
            static void append(const char *name) {
                FILE *file = fopen(name, "a");
                if (!file) _exit(2);
                fputc('x', file);
                fclose(file);
            }
            static ck_rv_t slots(unsigned char there, ck_slot_id_t *list, unsigned long *count) {
                if (told("endsEarly")) _exit(0);
                return real->C_GetSlotList(there, list, count);
            }
            static ck_rv_t login(ck_session_handle_t session, ck_user_type_t user, unsigned char *pin, unsigned long count) {
                append(FOLDER "/tries");
                if (told("endsAtLogin")) _exit(0);
                if (user == CKU_CONTEXT_SPECIFIC) return CKR_PIN_INCORRECT;
                return real->C_Login(session, user, pin, count);
            }
            static ck_rv_t attribute(
                ck_session_handle_t session, ck_object_handle_t object, struct ck_attribute *wanted, unsigned long count
            ) {
                if (count != 1 || wanted->type != CKA_ALWAYS_AUTHENTICATE || !told("ownPIN"))
                    return real->C_GetAttributeValue(session, object, wanted, count);
                wanted->value_len = 1;
                if (wanted->value) *(unsigned char *)wanted->value = 1;
                return CKR_OK;
            }
            static ck_rv_t sign(
                ck_session_handle_t session, unsigned char *data, unsigned long count, unsigned char *made,
                unsigned long *room
            ) {
                if (told("waits")) append(FOLDER "/waiting");
                while (told("waits")) usleep(10000);
                ck_rv_t result = real->C_Sign(session, data, count, made, room);
                if (told("forges")) made[0] ^= 1;
                if (told("exaggerates")) *room = ~0UL;
                return result;
            }
            ck_rv_t C_GetFunctionList(struct ck_function_list **list) {
                void *module = dlopen(REAL, RTLD_NOW);
                ck_rv_t (*get)(struct ck_function_list **) =
                    module ? (ck_rv_t (*)(struct ck_function_list **))dlsym(module, "C_GetFunctionList") : NULL;
                if (!get || get(&real) != CKR_OK) return CKR_GENERAL_ERROR;
                functions = *real;
                functions.C_GetSlotList = slots;
                functions.C_Login = login;
                functions.C_GetAttributeValue = attribute;
                functions.C_Sign = sign;
                *list = &functions;
                return CKR_OK;
            }
            """
    }

    /// A module that the agent has used turns hostile. The agent goes on, and knows which PINs the card may have refused.
    @Test(.enabled(if: TurningModule.isPossible, "skipped: needs root, gcc, softhsm2 and opensc"))
    func aModuleThatTurnsHostileCostsNoTries() throws {
        let home = vault.place.path("home")
        _ = try SoftCard(in: home)
        let module = try TurningModule(in: home)
        #expect(try add("c", module.address("01"), "nothing").status == 0)
        let agent = try vault.agent
        func expectSignature(_ place: SourceLocation = #_sourceLocation) throws {
            try module.follow(.nothing)
            let signed = try sign("c")
            #expect(signed.status == 0, "\(signed)", sourceLocation: place)
        }
        try expectSignature()
        for (order, words) in [
            // The card got no PIN, so none was refused.
            (TurningModule.Order.endsEarly, "ended the process"), (.forges, "has another key there now"),
            (.exaggerates, "error 0x150"),
        ] {
            try module.follow(order)
            let refused = try sign("c")
            #expect(refused.status == 10 && refused.errors.contains(words), "\(order): \(refused)")
            try expectSignature()
        }
        #expect(try vault.agent == agent)

        for (order, words, tries) in [
            (TurningModule.Order.ownPIN, "refused it for a signature with this key", 2),
            (.endsAtLogin, "ended the process", 1),
        ] {
            let before = module.tries
            try module.follow(order)
            let refused = try sign("c")
            #expect(refused.status == 10 && refused.errors.contains(words), "\(order): \(refused)")
            #expect(module.tries == before + tries, "\(order)")
            for order in [order, .nothing] {
                try module.follow(order)
                let again = try sign("c")
                #expect(again.status == 10 && again.errors.contains("does not try it again"), "\(order): \(again)")
            }
            #expect(module.tries == before + tries, "\(order)")
            try vault.run("agent", "stop")
            try vault.at("unlock", asked: vault.typingPasscode)
            try expectSignature()
        }
        // A PIN that is typed, for a key that has its own.
        try module.follow(.ownPIN)
        let added = try add("other", module.address("02"), "nothing")
        #expect(added.status == 10 && added.shown.contains("refused it for a signature with this key"), "\(added)")
        #expect(try !vault.run("key", "list", "--names").output.contains("other"))
    }

    /// A lock stops the signatures that wait for the card. So does the end of the programs that want them.
    @Test(.enabled(if: TurningModule.isPossible, "skipped: needs root, gcc, softhsm2 and opensc"))
    func aLockAndAnEndStopWhatWaitsForTheCard() throws {
        let home = vault.place.path("home")
        _ = try SoftCard(in: home)
        let module = try TurningModule(in: home)
        for (name, number) in [("first", "01"), ("second", "02")] {
            #expect(try add(name, module.address(number), "nothing").status == 0)
        }
        try write("a message\n", "file")
        func start(_ line: String) throws -> CommandAtTerminal {
            try self.start("cd '\(home)'; PATH=\(Command.binary.deletingLastPathComponent().path):$PATH; \(line)")
        }
        /// Begins a signature that keeps the card, and returns it.
        func keepCard() throws -> CommandAtTerminal {
            try module.follow(.waits)
            let signing = try start("latchkey key sign first file >/dev/null")
            try #require(Patience.wait { module.isWaiting })
            return signing
        }
        /// The number of times that the place of the second key was read.
        var reads: Int {
            get throws {
                try vault.run("log").output.split(separator: "\n").count { $0.contains(" readData second ") }
            }
        }

        /// The number of descriptors that the agent has open, once it stays the same for a moment.
        func settledFiles(_ agent: Int) throws -> Int {
            var last = -1
            try #require(
                Patience.wait {
                    defer { usleep(200_000) }
                    let count = try files(agent)
                    defer { last = count }
                    return count == last
                })
            return last
        }
        func files(_ agent: Int) throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/\(agent)/fd").count
        }

        let kept = try keepCard()
        var before = try reads
        let locked = try start("latchkey key sign second file >/dev/null")
        try #require(Patience.wait { try reads > before })
        #expect(try vault.run("lock").status == 0)
        // It ends at once, and would begin anew after an unlock.
        try locked.wait(for: "Passcode: ")
        var tries = module.tries
        try module.follow(.nothing)
        try kept.wait(for: "END 0")
        locked.type("\u{4}")
        try locked.wait(for: "END 6")
        #expect(module.tries == tries)
        try vault.at("unlock", asked: vault.typingPasscode)
        #expect(try sign("second").status == 0)
        #expect(module.tries == tries + 1)

        // Neither the command nor the client of the SSH agent prompts, so nothing but the connection tells their end.
        for line in [
            "latchkey key sign second file >/dev/null",
            "ssh-keygen -q -Y sign -n file -f '\(vault.folder)/ssh/second.pub' file",
        ] {
            let kept = try keepCard()
            tries = module.tries
            before = try reads
            let agent = try #require(try vault.agent)
            let others = try settledFiles(agent)
            let gone = try start(line)
            try #require(Patience.wait { try reads > before })
            gone.type("\u{3}")
            _ = gone.end()
            // The agent closes what it has for the client, although the card is still in use.
            try #require(Patience.wait { try files(agent) <= others })
            try module.follow(.nothing)
            try kept.wait(for: "END 0")
            #expect(try sign("first").status == 0)
            #expect(module.tries == tries + 1, "\(line)")
        }
    }
}
