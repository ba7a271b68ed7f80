/** A kind of text that no two runs have in common, and what stands for it in an example. */
interface Kind {
  readonly pattern: RegExp;
  /** `index`: how many other texts of the kind the call had before. */
  readonly imagine: (text: string, index: number) => string;
}

const imaginedId = '01J9ZC3V6N8QW4R2T5Y7A0B1C';
const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
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
  // The authenticator's secret, recovery codes, and the code of the moment.
  { pattern: /\b[A-Z2-7]{32}\b/g, imagine: () => 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' },
  { pattern: /\b[\dA-Z]{4}(?:-[\dA-Z]{4}){2}\b/g, imagine: () => '7K2M-9P4Q-1WXY' },
  { pattern: /^\d{6}$/g, imagine: () => '123456' },
  // Names of users and garages in seeds, so that no other record has them.
  {
    pattern: /\buser-[\da-f]{10}\b|\b(?:Ada|Ben|Cleo|Dan|Eva|Finn)\b/g,
    imagine: (_, index) => upperFirst(names[index % names.length] ?? ''),
  },
  { pattern: /-[\da-f]{10}(?![\w])/g, imagine: () => '' },
  { pattern: /\b20\d\d-\d\d-\d\d\b/g, imagine: () => '2026-05-02' },
  { pattern: /\b[\da-f]{64}\b/g, imagine: () => '0123456789abcdef'.repeat(4) },
  // What stands in the world's drafts.
  { pattern: /\bsecret[0-9A-HJKMNP-TV-Z]{26}\b/g, imagine: () => 'careful owner' },
  // Cursors, upload tokens, refresh tokens and other sealed texts; ids and access tokens are replaced by now. A short one
  // has a digit, which distinguishes it from a name; a long one may have none.
  {
    pattern:
      /(?<![\w-])(?!eyJ|[a-z]{2,4}_01J9)(?=[\w-]*\d|[\w-]{43})(?=[\w-]*[A-Z])(?=[\w-]*[a-z])[\w-]{20,}/g,
    imagine: () => 'c2VhbGVkIHRleHQgb2YgdGhlIHNlcnZlcg',
  },
  // The end of a slug.
  { pattern: /(?<=[a-z\d]-)[\da-hjkmnp-tv-z]{10}(?![\w-])/g, imagine: () => '7k2m9p4q1w' },
];

/**
 * Replaces ids, times, addresses and secrets of one call by imagined ones; what was the same stays the same, so that an
 * answer shows the ids of its request. What is imagined already stays as it is.
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

/** What two texts have in common if they differ in ids, times, addresses and secrets alone. */
export function outlineOf(text: string): string {
  return kinds.reduce(
    (present, { pattern, imagine }) => present.replace(pattern, (found) => imagine(found, 0)),
    text,
  );
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
