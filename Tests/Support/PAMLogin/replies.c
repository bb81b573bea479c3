// Gives the reader of the agent's replies every text that is near a right one: each one cut at each place, with each byte
// replaced by each other, with each byte left out or doubled; and then random ones. Prints how many it took for right.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../Sources/pam_latchkey/reply.h"

static const char *const right[] = {
    "{\"latchkey\":1,\"process\":4711,\"vault\":\"/home/me/.local/share/latchkey\"}",
    "{\"done\":{\"taken\":true}}",
    "{\"latchkey\":1,\"more\":[\"login\",[1.5e-3,null,{\"a\":[]}]],\"vault\":\"\\ud83d\\ude00\\n \xF4\x8F\x9E\x80 \xC3\xA9\"}",
    " { \"done\" : { } } ",
};

static unsigned long tried, greetings, answers;

// Each text lies at the end of memory of its own, so that the address sanitizer sees a read beyond it.
static void try(const unsigned char *text, size_t length) {
    char *copy = malloc(length > 0 ? length : 1);
    if (copy == NULL) abort();
    memcpy(copy, text, length);
    tried++;
    greetings += reply_is_greeting(copy, length);
    answers += reply_is_done(copy, length);
    free(copy);
}

static void try_near(const char *text) {
    size_t length = strlen(text);
    unsigned char bytes[512];
    memcpy(bytes, text, length);
    for (size_t cut = 0; cut <= length; cut++) try(bytes, cut);
    for (size_t place = 0; place < length; place++) {
        for (int byte = 0; byte < 256; byte++) {
            bytes[place] = (unsigned char)byte;
            try(bytes, length);
        }
        memcpy(bytes, text, length);
        memmove(bytes + place, text + place + 1, length - place - 1);
        try(bytes, length - 1);
        memcpy(bytes, text, length);
        memmove(bytes + place + 1, text + place, length - place);
        try(bytes, length + 1);
        memcpy(bytes, text, length);
    }
}

int main(void) {
    for (size_t i = 0; i < sizeof right / sizeof *right; i++) try_near(right[i]);
    // Version 0.1 greeted with the same number, and with what it knew.
    static const char former[] = "{\"knows\":[\"login\"],\"latchkey\":1,\"vault\":\"/v\"}";
    if (reply_is_greeting(former, strlen(former))) return 1;
    uint64_t state = 1;
    static const char letters[] = "{}[]\":,\\u0d8e1-+.tfn \xC3\xF4\x80";
    for (int round = 0; round < 300000; round++) {
        unsigned char bytes[64];
        size_t length = 0;
        do {
            state = state * 6364136223846793005u + 1442695040888963407u;
            bytes[length++] = (unsigned char)letters[(state >> 33) % (sizeof letters - 1)];
        } while (length < sizeof bytes && (state >> 60) != 0);
        try(bytes, length);
    }
    for (unsigned depth = 1; depth < 4000; depth += 37) {
        unsigned char *deep = malloc(depth);
        memset(deep, '[', depth);
        try(deep, depth);
        free(deep);
    }
    unsigned char frame[REPLY_FRAME];
    unsigned long lengths = 0;
    for (unsigned place = 0; place < REPLY_FRAME; place++)
        for (unsigned byte = 0; byte < 256; byte++) {
            memset(frame, 0, sizeof frame);
            frame[place] = (unsigned char)byte;
            size_t length = reply_length(frame);
            if (length > REPLY_LONGEST) abort();
            lengths += length > 0;
        }
    printf("%lu tried, %lu greetings, %lu answers, %lu lengths\n", tried, greetings, answers, lengths);
    return 0;
}
