#pragma once

/// How many blocks this process has asked for so far, on any thread.
unsigned long allocation_count(void);
