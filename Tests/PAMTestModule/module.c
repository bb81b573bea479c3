#include <security/pam_modules.h>
int pam_sm_authenticate(pam_handle_t *h, int f, int c, const char **v) { return PAM_AUTH_ERR; }
