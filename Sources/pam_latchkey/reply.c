// Reads the agent's JSON strictly (RFC 8259), in place, without memory of its own. Whatever is not exactly right is refused.
#include "reply.h"

#include <string.h>

enum { DEEPEST = 8 };

struct cursor {
    const unsigned char *at;
    const unsigned char *end;
};

struct span {
    const unsigned char *at;
    size_t length;
};

size_t reply_length(const unsigned char frame[REPLY_FRAME]) {
    size_t head = 0;
    for (int i = 0; i < 4; i++) head = head << 8 | frame[i];
    // Neither a greeting nor an answer to the module has a secret part.
    for (int i = 4; i < 8; i++)
        if (frame[i] != 0) return 0;
    return head >= 2 && head <= REPLY_LONGEST ? head : 0;
}

static bool is(struct span span, const char *text) {
    return span.length == strlen(text) && memcmp(span.at, text, span.length) == 0;
}

static void skip_space(struct cursor *cursor) {
    while (cursor->at < cursor->end &&
           (*cursor->at == ' ' || *cursor->at == '\t' || *cursor->at == '\n' || *cursor->at == '\r'))
        cursor->at++;
}

static bool take(struct cursor *cursor, unsigned char byte) {
    if (cursor->at == cursor->end || *cursor->at != byte) return false;
    cursor->at++;
    return true;
}

// Takes the bytes of one character that is not ASCII, if they are the shortest form of a valid one.
static bool take_character(struct cursor *cursor) {
    unsigned char first = *cursor->at++;
    int following = first >= 0xC2 && first <= 0xDF ? 1 : first >= 0xE0 && first <= 0xEF ? 2 : 3;
    if (first < 0xC2 || first > 0xF4 || cursor->end - cursor->at < following) return false;
    unsigned char second = *cursor->at;
    if (first == 0xE0 && second < 0xA0) return false;
    if (first == 0xED && second > 0x9F) return false;
    if (first == 0xF0 && second < 0x90) return false;
    if (first == 0xF4 && second > 0x8F) return false;
    for (int i = 0; i < following; i++, cursor->at++)
        if ((*cursor->at & 0xC0) != 0x80) return false;
    return true;
}

static bool take_hexadecimal(struct cursor *cursor, unsigned *value) {
    *value = 0;
    if (cursor->end - cursor->at < 4) return false;
    for (int i = 0; i < 4; i++) {
        unsigned char digit = *cursor->at++;
        unsigned number;
        if (digit >= '0' && digit <= '9') {
            number = digit - '0';
        } else if (digit >= 'a' && digit <= 'f') {
            number = digit - 'a' + 10u;
        } else if (digit >= 'A' && digit <= 'F') {
            number = digit - 'A' + 10u;
        } else {
            return false;
        }
        *value = *value << 4 | number;
    }
    return true;
}

static bool take_escape(struct cursor *cursor) {
    if (cursor->at == cursor->end) return false;
    unsigned char kind = *cursor->at++;
    if (kind != 'u') return kind != 0 && strchr("\"\\/bfnrt", kind) != NULL;
    unsigned value;
    if (!take_hexadecimal(cursor, &value)) return false;
    if (value >= 0xDC00 && value <= 0xDFFF) return false;
    if (value < 0xD800 || value > 0xDBFF) return true;
    if (!take(cursor, '\\') || !take(cursor, 'u') || !take_hexadecimal(cursor, &value)) return false;
    return value >= 0xDC00 && value <= 0xDFFF;
}

// Takes a text. The span has its bytes as they are, so a name that the module looks for must have no escapes.
static bool take_text(struct cursor *cursor, struct span *span) {
    if (!take(cursor, '"')) return false;
    span->at = cursor->at;
    while (cursor->at < cursor->end) {
        unsigned char byte = *cursor->at;
        if (byte == '"') {
            span->length = (size_t)(cursor->at - span->at);
            cursor->at++;
            return true;
        }
        if (byte < 0x20) return false;
        if (byte >= 0x80) {
            if (!take_character(cursor)) return false;
            continue;
        }
        cursor->at++;
        if (byte == '\\' && !take_escape(cursor)) return false;
    }
    return false;
}

static bool take_digits(struct cursor *cursor) {
    const unsigned char *first = cursor->at;
    while (cursor->at < cursor->end && *cursor->at >= '0' && *cursor->at <= '9') cursor->at++;
    return cursor->at > first;
}

static bool take_number(struct cursor *cursor) {
    take(cursor, '-');
    if (!take(cursor, '0') && !take_digits(cursor)) return false;
    if (take(cursor, '.') && !take_digits(cursor)) return false;
    if (take(cursor, 'e') || take(cursor, 'E')) {
        if (!take(cursor, '+')) take(cursor, '-');
        if (!take_digits(cursor)) return false;
    }
    return true;
}

static bool take_word(struct cursor *cursor, const char *word) {
    size_t length = strlen(word);
    if ((size_t)(cursor->end - cursor->at) < length || memcmp(cursor->at, word, length) != 0) return false;
    cursor->at += length;
    return true;
}

static bool take_value(struct cursor *cursor, int depth);

static bool take_array(struct cursor *cursor, int depth) {
    if (depth > DEEPEST || !take(cursor, '[')) return false;
    skip_space(cursor);
    if (take(cursor, ']')) return true;
    while (true) {
        if (!take_value(cursor, depth + 1)) return false;
        skip_space(cursor);
        if (take(cursor, ']')) return true;
        if (!take(cursor, ',')) return false;
    }
}

static bool take_object(struct cursor *cursor, int depth) {
    if (depth > DEEPEST || !take(cursor, '{')) return false;
    skip_space(cursor);
    if (take(cursor, '}')) return true;
    while (true) {
        struct span name;
        skip_space(cursor);
        if (!take_text(cursor, &name)) return false;
        skip_space(cursor);
        if (!take(cursor, ':') || !take_value(cursor, depth + 1)) return false;
        skip_space(cursor);
        if (take(cursor, '}')) return true;
        if (!take(cursor, ',')) return false;
    }
}

static bool take_value(struct cursor *cursor, int depth) {
    skip_space(cursor);
    if (cursor->at == cursor->end) return false;
    struct span text;
    switch (*cursor->at) {
    case '{': return take_object(cursor, depth);
    case '[': return take_array(cursor, depth);
    case '"': return take_text(cursor, &text);
    case 't': return take_word(cursor, "true");
    case 'f': return take_word(cursor, "false");
    case 'n': return take_word(cursor, "null");
    default: return take_number(cursor);
    }
}

// The members of the outermost object that the module knows, and how often each was there as it should be.
struct members {
    int version;
    int done;
    int others;
};

static bool take_member(struct cursor *cursor, struct members *members) {
    struct span name;
    skip_space(cursor);
    if (!take_text(cursor, &name)) return false;
    skip_space(cursor);
    if (!take(cursor, ':')) return false;
    skip_space(cursor);
    const unsigned char *first = cursor->at;
    if (is(name, "done")) {
        members->done++;
        return take_object(cursor, 2);
    }
    if (!take_value(cursor, 2)) return false;
    if (is(name, "latchkey")) {
        struct span value = {first, (size_t)(cursor->at - first)};
        members->version += is(value, "1") ? 1 : 2;
    } else if (is(name, "knows")) {
        members->version += 2;  // an agent of version 0.1
    } else {
        members->others++;
    }
    return true;
}

static bool read_members(const char *text, size_t length, struct members *members) {
    struct cursor cursor = {(const unsigned char *)text, (const unsigned char *)text + length};
    memset(members, 0, sizeof *members);
    skip_space(&cursor);
    if (!take(&cursor, '{')) return false;
    skip_space(&cursor);
    if (!take(&cursor, '}')) {
        while (true) {
            if (!take_member(&cursor, members)) return false;
            skip_space(&cursor);
            if (take(&cursor, '}')) break;
            if (!take(&cursor, ',')) return false;
        }
    }
    skip_space(&cursor);
    return cursor.at == cursor.end;
}

bool reply_is_greeting(const char *text, size_t length) {
    struct members members;
    return read_members(text, length, &members) && members.version == 1 && members.done == 0;
}

bool reply_is_done(const char *text, size_t length) {
    struct members members;
    return read_members(text, length, &members) && members.done == 1 && members.version == 0 &&
           members.others == 0;
}
