// The C functions that Embedded Swift needs and WebAssembly does not have.
//
// A block of memory has a power of two as its size. Freed blocks of a size wait in a list for the next request of that size. The engine
// runs on one thread, and its memory goes away with the page.

#include <stddef.h>
#include <stdint.h>

extern unsigned char __heap_base;

struct block {
    size_t list;
    struct block *next;
};

// The bytes before the memory of a block. They keep it aligned to 16.
enum { HEAD = 16, SMALLEST = 5, LARGEST = 31, PAGE = 65536, GROWTH = 64 };

static struct block *freed[LARGEST + 1];
static uintptr_t top;

void *malloc(size_t size) {
    if (size > ((size_t)1 << (LARGEST - 1))) return NULL;
    size_t list = SMALLEST;
    if (size + HEAD > (1u << SMALLEST)) list = 32 - (size_t)__builtin_clz((unsigned)(size + HEAD - 1));
    struct block *block = freed[list];
    if (block) {
        freed[list] = block->next;
        return (char *)block + HEAD;
    }
    if (!top) top = ((uintptr_t)&__heap_base + HEAD - 1) & ~(uintptr_t)(HEAD - 1);
    uint64_t end = (uint64_t)top + ((uint64_t)1 << list);
    uint64_t there = (uint64_t)__builtin_wasm_memory_size(0) * PAGE;
    if (end > there) {
        uint64_t pages = (end - there + PAGE - 1) / PAGE;
        if (end + (uint64_t)GROWTH * PAGE < ((uint64_t)1 << 32) && pages < GROWTH) pages = GROWTH;
        if (end >= ((uint64_t)1 << 32) || __builtin_wasm_memory_grow(0, (size_t)pages) == (size_t)-1) return NULL;
    }
    block = (struct block *)top;
    top = (uintptr_t)end;
    block->list = list;
    return (char *)block + HEAD;
}

void free(void *memory) {
    if (!memory) return;
    struct block *block = (struct block *)((char *)memory - HEAD);
    block->next = freed[block->list];
    freed[block->list] = block;
}

// Every block is aligned to 16. Swift asks for more only for types that the engine does not have.
int posix_memalign(void **place, size_t alignment, size_t size) {
    if (alignment > HEAD) __builtin_trap();
    *place = malloc(size);
    return *place ? 0 : 12;
}

// The compiler turns these into single instructions of WebAssembly, except for comparing.
void *memcpy(void *to, const void *from, size_t count) { return __builtin_memcpy(to, from, count); }
void *memmove(void *to, const void *from, size_t count) { return __builtin_memmove(to, from, count); }
void *memset(void *to, int byte, size_t count) { return __builtin_memset(to, byte, count); }

int memcmp(const void *left, const void *right, size_t count) {
    const unsigned char *a = left, *b = right;
    for (; count; count--, a++, b++)
        if (*a != *b) return *a < *b ? -1 : 1;
    return 0;
}

size_t strlen(const char *text) {
    size_t count = 0;
    while (text[count]) count++;
    return count;
}

// Swift seeds its hashing with this. No answer depends on the seed, so the engine needs no chance.
void arc4random_buf(void *to, size_t count) {
    uint32_t state = 2463534242u;
    for (unsigned char *byte = to; count; count--, byte++) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        *byte = (unsigned char)state;
    }
}

// Swift prints the reason of a fatal error, one letter at a time. The page says only that the engine stopped.
int putchar(int letter) { return letter; }

__attribute__((noreturn)) void abort(void) { __builtin_trap(); }

uintptr_t __stack_chk_guard = 0x5bd1e995;
__attribute__((noreturn)) void __stack_chk_fail(void) { __builtin_trap(); }

// The product of two numbers of 128 bits, which multiplying of times checks for overflow with.
void __multi3(uint64_t *product, uint64_t a, uint64_t a_high, uint64_t b, uint64_t b_high) {
    uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
    uint64_t low = a0 * b0, left = a0 * b1, right = a1 * b0;
    uint64_t middle = (low >> 32) + (uint32_t)left + (uint32_t)right;
    product[0] = (uint32_t)low | middle << 32;
    product[1] = a1 * b1 + (left >> 32) + (right >> 32) + (middle >> 32) + a * b_high + a_high * b;
}

// Swift's tables of Unicode, which weigh 100 kB. The engine knows no word that is not ASCII, so this says of every other character that it
// is a letter of its own: visible, without case, and never part of another.
uint8_t _swift_stdlib_getGeneralCategory(uint32_t scalar) { (void)scalar; return 4; }
uint64_t _swift_stdlib_getBinaryProperties(uint32_t scalar) { (void)scalar; return 0; }
uint8_t _swift_stdlib_getNumericType(uint32_t scalar) { return scalar >= '0' && scalar <= '9' ? 0 : 0xFF; }  // 0: a decimal digit
uint8_t _swift_stdlib_getGraphemeBreakProperty(uint32_t scalar) { (void)scalar; return 0xFF; }
_Bool _swift_stdlib_isExtendedPictographic(uint32_t scalar) { (void)scalar; return 0; }
_Bool _swift_stdlib_isInCB_Consonant(uint32_t scalar) { (void)scalar; return 0; }
int32_t _swift_stdlib_getMapping(uint32_t scalar, uint8_t mapping) { (void)scalar; (void)mapping; return 0; }
const uint8_t *_swift_stdlib_getSpecialMapping(uint32_t scalar, uint8_t mapping, size_t *length) {
    (void)scalar; (void)mapping;
    *length = 0;
    return NULL;
}
uint16_t _swift_stdlib_getNormData(uint32_t scalar) { (void)scalar; return 0; }
uint32_t _swift_stdlib_getComposition(uint32_t first, uint32_t second) { (void)first; (void)second; return UINT32_MAX; }
uint32_t _swift_stdlib_getDecompositionEntry(uint32_t scalar) { (void)scalar; return 0; }
const uint8_t *const _swift_stdlib_nfd_decompositions = NULL;
