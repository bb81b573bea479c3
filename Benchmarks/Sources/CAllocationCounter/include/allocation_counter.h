#pragma once

/// Returns the number of blocks that this process has allocated so far, on all threads.
unsigned long allocation_count(void);
