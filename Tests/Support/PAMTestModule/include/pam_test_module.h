#pragma once

#include <security/pam_modules.h>

// The functions that libpam calls. See module.c for their arguments.
int pam_sm_authenticate(pam_handle_t *handle, int flags, int argc, const char **argv);
int pam_sm_setcred(pam_handle_t *handle, int flags, int argc, const char **argv);
int pam_sm_acct_mgmt(pam_handle_t *handle, int flags, int argc, const char **argv);
