/// The commit that this program was built from: NFCTOOL_COMMIT in the environment of the build, or empty.
extern const char *const nfctool_commit;
