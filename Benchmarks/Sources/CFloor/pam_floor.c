#include "floor.h"
#include <security/pam_appl.h>
#include <stdlib.h>
#include <string.h>

static int answer(int count, const struct pam_message **messages, struct pam_response **responses, void *passcode) {
    (void)messages;
    struct pam_response *made = calloc((size_t)count, sizeof *made);
    if (!made) return PAM_BUF_ERR;
    for (int i = 0; i < count; i++) made[i].resp = strdup(passcode);
    *responses = made;
    return PAM_SUCCESS;
}

int floor_pam(const char *service, const char *folder, const char *user, const char *passcode) {
    struct pam_conv conversation = {answer, (void *)(size_t)passcode};
    pam_handle_t *handle = NULL;
    int code = pam_start_confdir(service, user, &conversation, folder, &handle);
    if (code != PAM_SUCCESS) return code;
    code = pam_authenticate(handle, PAM_DISALLOW_NULL_AUTHTOK);
    if (code == PAM_SUCCESS) code = pam_acct_mgmt(handle, PAM_DISALLOW_NULL_AUTHTOK);
    pam_end(handle, code);
    return code;
}
