#define _GNU_SOURCE
#include "floor.h"
#include <sched.h>

static cpu_set_t allowed;

int floor_use_one_processor(void) {
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return -1;
    int here = sched_getcpu();
    if (here < 0) return -1;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(here, &one);
    return sched_setaffinity(0, sizeof one, &one);
}

void floor_use_all_processors(void) { sched_setaffinity(0, sizeof allowed, &allowed); }
