import {
  account,
  activity,
  confirmations,
  consents,
  dataExports,
  mails,
  secondFactors,
  sessions,
} from './accountParts.ts';
import type { ExportPart } from './ExportPart.ts';
import { dealerMemberships, favorites, files, invitations, listings, savedSearches } from './tradeParts.ts';

/** What an archive consists of. A resource that stores something about a person adds a line. */
export const exportParts: readonly ExportPart[] = [
  account,
  secondFactors,
  consents,
  sessions,
  confirmations,
  listings,
  files,
  favorites,
  savedSearches,
  dealerMemberships,
  invitations,
  mails,
  activity,
  dataExports,
];

/** Files in an archive besides texts: the parts, and the page that introduces them. */
export const archiveFileCount = exportParts.length + 1;

/** Collections that no part reads, and why nobody misses them. A new collection is in a part or here. */
export const notExported: Readonly<Record<string, string>> = {
  account_requests: 'what strangers typed; gone within a day',
  api_clients: 'credentials of dealers; their makers are named by id alone',
  catalog_listings: 'public copies of listings',
  categories: 'about no person',
  consumed_proofs: 'hashes of single-use proofs',
  idempotency_keys: 'answers that other parts hold; gone within a day',
  installations: 'about no person',
  issuers: 'about no person',
  login_attempts: 'counters under hashes; nobody can be found by them',
  operators: 'staff of the platform, who have no account here',
  otp_attempts: 'counters of minutes',
  owners: 'counters; what is counted is in other parts',
  rate_counts: 'counters under hashes',
  rate_shared_counts: 'counters under hashes',
  signing_keys: 'about no person',
};
