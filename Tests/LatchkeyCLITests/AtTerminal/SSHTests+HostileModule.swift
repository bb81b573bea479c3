import Foundation
import TestSupport
import Testing

extension SSHTests {
    /// A module for cards that does what no module should.
    private final class HostileModule {
        private let module: CompiledModule
        var path: String { module.path }
        /// The file with the number that it leaves behind: of a process, or what the system says of its own.
        var number: String { module.folder + "/number" }

        init(_ mode: String, in home: String) throws {
            module = try CompiledModule(Self.source, [mode: ""], in: home)
        }

        private static let source = """
            #define CRYPTOKI_GNU 1
            #include <p11-kit-1/p11-kit/pkcs11.h>
            #include <arpa/inet.h>
            #include <stdio.h>
            #include <stdlib.h>
            #include <string.h>
            #include <sys/prctl.h>
            #include <sys/socket.h>
            #include <unistd.h>

            static ck_rv_t initialize(void *arguments) {
            #ifdef CRASHES
                abort();
            #endif
            #ifdef SPEAKS
                const char *words = "{\\"error\\":{\\"kind\\":\\"not-found\\",\\"message\\":\\"no such key\\"}}";
                unsigned lengths[2] = { htonl(strlen(words)), 0 };
                if (write(0, lengths, sizeof lengths) < 0 || write(0, words, strlen(words)) < 0) abort();
            #endif
            #ifdef BABBLES
                const char *words = "{\\"pin\\":\\"accepted\\"}";
                unsigned lengths[2] = { htonl(strlen(words)), 0 };
                char answers[512];
                alarm(0);
                while (write(0, lengths, sizeof lengths) > 0 && write(0, words, strlen(words)) > 0)
                    recv(0, answers, sizeof answers, MSG_DONTWAIT);
                _exit(0);
            #endif
            #ifdef TELLS
                FILE *told = fopen(FOLDER "/number", "w");
                if (!told || fprintf(told, "%d", prctl(PR_GET_DUMPABLE, 0, 0, 0, 0)) < 0 || fclose(told) != 0) abort();
                _exit(0);
            #endif
            #ifdef FORKS
                pid_t left = fork();
                if (left == 0) {
                    close(0);
                    for (;;) sleep(1);
                }
                FILE *file = fopen(FOLDER "/number", "w");
                if (!file || fprintf(file, "%d", left) < 0 || fclose(file) != 0) abort();
                _exit(0);
            #endif
                return CKR_OK;
            }
            static ck_rv_t finalize(void *nothing) { return CKR_OK; }
            static ck_rv_t slots(unsigned char there, ck_slot_id_t *list, unsigned long *count) {
                *count = ~0UL;
                return CKR_OK;
            }
            static ck_rv_t token(ck_slot_id_t slot, struct ck_token_info *info) {
                memset(info, 0xff, sizeof *info);
                return CKR_OK;
            }
            static ck_rv_t begin(ck_slot_id_t slot, ck_flags_t flags, void *a, ck_notify_t n, ck_session_handle_t *s) {
                *s = ~0UL;
                return CKR_OK;
            }
            static ck_rv_t end(ck_session_handle_t session) { return CKR_OK; }
            static ck_rv_t find(ck_session_handle_t session, struct ck_attribute *what, unsigned long count) {
                return CKR_OK;
            }
            static ck_rv_t found(ck_session_handle_t s, ck_object_handle_t *list, unsigned long room, unsigned long *count) {
                *count = ~0UL;
                return CKR_OK;
            }
            /* An attribute that is longer than it was said to be. */
            static ck_rv_t attribute(
                ck_session_handle_t s, ck_object_handle_t object, struct ck_attribute *wanted, unsigned long count
            ) {
                wanted->value_len = wanted->value ? ~0UL : 8;
                return CKR_OK;
            }
            static struct ck_function_list functions = {
                .C_Initialize = initialize, .C_Finalize = finalize, .C_GetSlotList = slots, .C_GetTokenInfo = token,
                .C_OpenSession = begin, .C_CloseSession = end, .C_FindObjectsInit = find, .C_FindObjects = found,
                .C_FindObjectsFinal = end, .C_GetAttributeValue = attribute,
            };
            ck_rv_t C_GetFunctionList(struct ck_function_list **list) {
                *list = &functions;
                return CKR_OK;
            }
            """
    }

    /// The agent and the command survive a module that crashes or lies: it is in a process of its own.
    @Test(
        .enabled(if: CompiledModule.isPossible, "skipped: needs root and gcc"),
        arguments: [
            ("CRASHES", "the module for the card ended the process that had loaded it"),
            ("LIES", "no smart card with a key is there"),
            // It speaks for the process that has loaded it, and has the agent forget nothing.
            ("SPEAKS", "no such key"),
            // It says without end that the PIN is right.
            ("BABBLES", "spoke in place of the process that had loaded it"),
            // It leaves a process of its own behind.
            ("FORKS", "the module for the card ended the process that had loaded it"),
        ])
    func aHostileModuleEndsNothingElse(mode: String, words: String) throws {
        let module = try HostileModule(mode, in: vault.place.path("home"))
        let agent = try vault.agent
        let added = try vault.run("ssh", "add", "c", "--card", "pkcs11:?module-path=\(module.path)")
        #expect(added.status == 10 && added.errors.contains(words), "\(added)")
        #expect(try vault.agent == agent)
        guard mode == "FORKS" else { return }
        let text = try String(contentsOfFile: module.number, encoding: .utf8)
        let left = try #require(Int32(text))
        let isGone = Patience.wait {
            // Its new parent may leave it unread.
            let status = (try? String(contentsOfFile: "/proc/\(left)/status", encoding: .utf8)) ?? "State:\tZ"
            return status.contains("State:\tZ")
        }
        #expect(isGone)
    }

    /// The process that gets the PIN is closed to other programs before it loads a module.
    @Test(.enabled(if: CompiledModule.isPossible, "skipped: needs root and gcc"))
    func noOtherProgramLooksIntoTheProcessOfACard() throws {
        let module = try HostileModule("TELLS", in: vault.place.path("home"))
        _ = try vault.run("ssh", "add", "c", "--card", "pkcs11:?module-path=\(module.path)")
        #expect(try String(contentsOfFile: module.number, encoding: .utf8) == "0")
    }
}
