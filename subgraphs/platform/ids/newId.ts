import { ulid } from 'ulid';

/** Type prefixes of ids; a record's type can be told from its id alone. */
export const idPrefixes = {
  user: 'usr',
  client: 'cli',
  operator: 'opr',
  session: 'ses',
  dealer: 'dlr',
  location: 'loc',
  listing: 'lst',
  page: 'page',
  media: 'med',
  group: 'grp',
  translation: 'trn',
  seoRecord: 'seo',
  seoSnapshot: 'snap',
  category: 'cat',
} as const;

/** Record types that have an id. */
export type IdType = keyof typeof idPrefixes;

const body = '[0-9A-HJKMNP-TV-Z]{26}';
const patterns = Object.fromEntries(
  Object.entries(idPrefixes).map(([type, prefix]) => [type, new RegExp(`^${prefix}_${body}$`)]),
) as Record<IdType, RegExp>;

/** New opaque id: type prefix and ULID (80 random bits, not monotonic, so ids give away no neighbours). */
export function newId(type: IdType): string {
  return `${idPrefixes[type]}_${ulid()}`;
}

/** Whether a text can be the id of such a record; anything else is 404 without a lookup. */
export function isId(type: IdType, text: string): boolean {
  return patterns[type].test(text);
}
