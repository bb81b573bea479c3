/* Fills a keyring through libsecret, and prints the median time of a lookup in a running process, in microseconds. */
#include <libsecret/secret.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const SecretSchema schema = {
    "org.latchkey.bench", SECRET_SCHEMA_NONE, {{"name", SECRET_SCHEMA_ATTRIBUTE_STRING}, {NULL, 0}}};

static void name_of(char *name, size_t size, int number) { snprintf(name, size, "bench/account-%d", number); }

/* 64 bytes, like all secrets of the benchmarks. */
static void secret_of(char *secret, int number) {
    int written = snprintf(secret, 65, "secret %d ", number);
    memset(secret + written, 'x', 64 - written);
    secret[64] = 0;
}

static void end_on(GError *error) {
    if (!error) return;
    fprintf(stderr, "libsecret: %s\n", error->message);
    exit(1);
}

static void fill(int count) {
    for (int number = 0; number < count; number++) {
        char name[64], secret[65];
        GError *error = NULL;
        name_of(name, sizeof name, number);
        secret_of(secret, number);
        secret_password_store_sync(&schema, SECRET_COLLECTION_DEFAULT, name, secret, NULL, &error, "name", name, NULL);
        end_on(error);
    }
}

static double lookup(int number) {
    char name[64], secret[65];
    GError *error = NULL;
    struct timespec start, end;
    name_of(name, sizeof name, number);
    secret_of(secret, number);
    clock_gettime(CLOCK_MONOTONIC, &start);
    gchar *found = secret_password_lookup_sync(&schema, NULL, &error, "name", name, NULL);
    clock_gettime(CLOCK_MONOTONIC, &end);
    end_on(error);
    if (!found || strcmp(found, secret) != 0) {
        fprintf(stderr, "libsecret: %s is not what was stored\n", name);
        exit(1);
    }
    secret_password_free(found);
    return (end.tv_sec - start.tv_sec) * 1e6 + (end.tv_nsec - start.tv_nsec) / 1e3;
}

static int ascending(const void *left, const void *right) {
    double difference = *(const double *)left - *(const double *)right;
    return (difference > 0) - (difference < 0);
}

int main(int count_of_arguments, char **arguments) {
    if (count_of_arguments != 4) return 2;
    int items = atoi(arguments[2]), runs = atoi(arguments[3]);
    if (strcmp(arguments[1], "fill") == 0) {
        fill(items);
        return 0;
    }
    double *times = calloc(runs, sizeof *times);
    lookup(0); /* The first lookup connects and agrees on a key. */
    for (int run = 0; run < runs; run++) times[run] = lookup(rand() % items);
    qsort(times, runs, sizeof *times, ascending);
    printf("%.1f\n", times[runs / 2]);
    free(times);
    return 0;
}
