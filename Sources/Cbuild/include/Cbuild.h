/// The commit this program was built from, as NFCTOOL_COMMIT named it in the environment of the build; empty without it.
extern const char *const nfctool_commit;
