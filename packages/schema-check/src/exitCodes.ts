/** Exit codes of the check, by name. `docs/how-to/schema-checks.md` lists them. */
export const exitCodes = {
  passed: {
    code: 0,
    words: 'No breaking change, or the base has nothing to compare with, which the report states.',
  },
  broken: { code: 1, words: 'At least one breaking change is not accepted.' },
  impossible: {
    code: 2,
    words:
      'The check failed: an unknown option or ref, an unreadable base, or an invalid list of accepted changes. The message states the remedy.',
  },
} as const;
