#define _GNU_SOURCE
#include "CSandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

int latchkey_open_terminal(int *inside, int *outside) {
    char path[128];
    const int flags = O_RDWR | O_NOCTTY | O_CLOEXEC;
    int shown = posix_openpt(flags), used = -1;
    if (shown < 0) return errno;
    if (grantpt(shown) == 0 && unlockpt(shown) == 0 && ptsname_r(shown, path, sizeof(path)) == 0) used = open(path, flags);
    if (used < 0) {
        int code = errno;
        close(shown);
        return code;
    }
    *inside = used;
    *outside = shown;
    return 0;
}

void *latchkey_pass_on_keys(int terminal, int other) {
    struct termios *before = malloc(sizeof(*before));
    if (!before || tcgetattr(terminal, before) != 0) {
        free(before);
        return NULL;
    }
    tcsetattr(other, TCSANOW, before);
    struct termios raw = *before;
    cfmakeraw(&raw);
    tcsetattr(terminal, TCSADRAIN, &raw);
    return before;
}

void latchkey_leave_output_alone(int terminal) {
    struct termios settings;
    if (tcgetattr(terminal, &settings) != 0) return;
    settings.c_oflag &= ~(tcflag_t)OPOST;
    tcsetattr(terminal, TCSANOW, &settings);
}

void latchkey_restore_terminal(int terminal, void *settings) {
    tcsetattr(terminal, TCSADRAIN, settings);
    free(settings);
}

int latchkey_copy_terminal_size(int from, int to) {
    struct winsize wanted, present;
    if (ioctl(from, TIOCGWINSZ, &wanted) != 0 || ioctl(to, TIOCGWINSZ, &present) != 0) return 0;
    if (wanted.ws_row == present.ws_row && wanted.ws_col == present.ws_col) return 0;
    return ioctl(to, TIOCSWINSZ, &wanted) == 0;
}
