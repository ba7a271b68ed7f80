import { createHash } from 'node:crypto';
import { newUlid } from './newUlid.ts';

/** Type prefixes of ids; the id alone states a record's type. */
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
  aiAcknowledgement: 'ack',
  category: 'cat',
  mfaFactor: 'mfa',
  dataExport: 'exp',
  auditEvent: 'aud',
  invitation: 'inv',
  mail: 'mail',
  consent: 'cns',
  issuer: 'iss',
  savedSearch: 'sse',
  report: 'rep',
  decision: 'dec',
  listingImport: 'imp',
  feedUpload: 'upl',
  conversation: 'cnv',
  message: 'msg',
  ledgerTransaction: 'ltx',
  payout: 'pot',
  refund: 'rfd',
  dispute: 'dsp',
  chargeback: 'chb',
  event: 'evt',
  payment: 'pay',
  paymentMethod: 'pmt',
  auditJob: 'job',
  auditItem: 'it',
} as const;

/** Record types that have an id. */
export type IdType = keyof typeof idPrefixes;

const body = '[0-9A-HJKMNP-TV-Z]{26}';
const patterns = Object.fromEntries(
  Object.entries(idPrefixes).map(([type, prefix]) => [type, new RegExp(`^${prefix}_${body}$`)]),
) as Record<IdType, RegExp>;

/**
 * Returns a new opaque id: type prefix and ULID with 80 random bits. It is not monotonic, so that ids do not reveal
 * adjacent ones.
 */
export function newId(type: IdType): string {
  return `${idPrefixes[type]}_${newUlid()}`;
}

/** Returns whether a text has the form of an id of this type. Other texts are 404 without a lookup. */
export function isId(type: IdType, text: string): boolean {
  return patterns[type].test(text);
}

const types = new Map<string, IdType>(
  Object.entries(idPrefixes).map(([type, prefix]) => [prefix, type as IdType]),
);

/** Returns the record type of an id; null if the text is not an id. */
export function typeOfId(text: string): IdType | null {
  const type = types.get(text.slice(0, text.indexOf('_')));
  return type !== undefined && isId(type, text) ? type : null;
}

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/**
 * Returns the same id for the same seed: 130 bits of SHA-256 in Crockford's alphabet, with the first digit in the range
 * of a ULID. An unguessable id needs a secret in its seed, such as the caller's idempotency key.
 */
export function repeatableId(type: IdType, ...seed: string[]): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([type, ...seed]))
    .digest();
  const digits = Array.from(
    digest.subarray(0, 26),
    (byte, index) => alphabet[index === 0 ? byte % 8 : byte % 32],
  );
  return `${idPrefixes[type]}_${digits.join('')}`;
}
