/** A kind of text that differs between runs, and its replacement in an example. */
interface Kind {
  readonly pattern: RegExp;
  /** `index`: number of earlier texts of the kind in the call. */
  readonly imagine: (text: string, index: number) => string;
}

const imaginedId = '01J9ZC3V6N8QW4R2T5Y7A0B1C';
const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const slugEnd = '7k2m9p4q1w';
const names = ['ada', 'ben', 'cleo', 'dan', 'eva', 'finn'];

const kinds: readonly Kind[] = [
  {
    pattern: /\b[a-z]{2,4}_[0-9A-HJKMNP-TV-Z]{26}\b/g,
    imagine: (id, index) => `${id.slice(0, id.indexOf('_'))}_${imaginedId}${digits[(index + 13) % 32]}`,
  },
  { pattern: /\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, imagine: () => 'eyJhbGciOiJFUzI1NiJ9.e30.c2lnbmF0dXJl' },
  { pattern: /https?:\/\/[\w.-]*(?:localhost|127\.0\.0\.1)(?::\d+)?/g, imagine: () => 'https://example.com' },
  {
    pattern: /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g,
    imagine: (_, index) => `${names[index % names.length]}@example.com`,
  },
  {
    pattern: /\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/g,
    imagine: (_, index) => `5f0c1c1e-9a55-4c7b-8a44-0d6f3a5f9a1${index % 10}`,
  },
  { pattern: /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, imagine: () => '2026-05-02T09:00:00.000Z' },
  // The secret of an authenticator, recovery codes, and one-time codes.
  { pattern: /\b[A-Z2-7]{32}\b/g, imagine: () => 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' },
  { pattern: /\b[\dA-Z]{4}(?:-[\dA-Z]{4}){2}\b/g, imagine: () => '7K2M-9P4Q-1WXY' },
  { pattern: /^\d{6}$/g, imagine: () => '123456' },
  // Unique names of seeded users and garages.
  {
    pattern: /\buser-[\da-f]{10}\b|\b(?:Ada|Ben|Cleo|Dan|Eva|Finn)\b/g,
    imagine: (_, index) => upperFirst(names[index % names.length] ?? ''),
  },
  { pattern: /-[\da-f]{10}(?![\w])/g, imagine: () => '' },
  { pattern: /\b20\d\d-\d\d-\d\d\b/g, imagine: () => '2026-05-02' },
  { pattern: /\b[\da-f]{64}\b/g, imagine: () => '0123456789abcdef'.repeat(4) },
  // Text of the drafts in the world.
  { pattern: /\bsecret[0-9A-HJKMNP-TV-Z]{26}\b/g, imagine: () => 'careful owner' },
  // Cursors, upload tokens, refresh tokens and other sealed texts. Ids and access tokens are already replaced. A short text
  // must have a digit, which distinguishes it from a name.
  {
    pattern:
      /(?<![\w-])(?!eyJ|[a-z]{2,4}_01J9)(?=[\w-]*\d|[\w-]{43})(?=[\w-]*[A-Z])(?=[\w-]*[a-z])[\w-]{20,}/g,
    imagine: () => 'c2VhbGVkIHRleHQgb2YgdGhlIHNlcnZlcg',
  },
  { pattern: /(?<=[a-z\d]-)[\da-hjkmnp-tv-z]{10}(?![\w-])/g, imagine: () => slugEnd },
];

/**
 * Replaces ids, times, addresses and secrets of one call by imagined ones. Equal texts have equal replacements, so that an
 * answer contains the ids of its request. Imagined texts are not replaced.
 */
export function imagining(): (text: string) => string {
  const seen = kinds.map(() => new Map<string, string>());
  return (text) =>
    kinds.reduce((present, { pattern, imagine }, kind) => {
      const known = seen[kind] as Map<string, string>;
      return present.replace(pattern, (found) => {
        const same = known.get(found) ?? imagine(found, known.size);
        known.set(found, same);
        return same;
      });
    }, text);
}

/** The text without its ids, times, addresses and secrets, for comparisons. */
export function outlineOf(text: string): string {
  const outline = kinds.reduce(
    (present, { pattern, imagine }) => present.replace(pattern, (found) => imagine(found, 0)),
    text,
  );
  // The end of a slug can look like that of a seeded name, which is left out.
  return outline.replaceAll(`-${slugEnd}`, '');
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
