/** Exit codes of the check, by name. `docs/how-to/schema-checks.md` lists them. */
export const exitCodes = {
  passed: {
    code: 0,
    words: 'Nothing is broken, or the base has nothing to compare with (the report says so).',
  },
  broken: { code: 1, words: 'Something is broken and not accepted.' },
  impossible: {
    code: 2,
    words:
      'The check cannot be made: unknown option or ref, unreadable base, wrong list of accepted changes. One line says what to do.',
  },
} as const;
