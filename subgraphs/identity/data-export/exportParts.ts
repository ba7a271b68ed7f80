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
import { blocks, conversations, messages } from './messagingParts.ts';
import { paymentMethods, payments } from './paymentParts.ts';
import { notices, reports } from './reportParts.ts';
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
  conversations,
  messages,
  blocks,
  dealerMemberships,
  invitations,
  payments,
  paymentMethods,
  reports,
  notices,
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
  arrivals: 'ids of new listings of dealers; gone when the subgraphs know of them',
  catalog_languages: 'about no person',
  catalog_listings: 'public copies of listings',
  catalog_removals: 'ids of listings that left the catalogue',
  catalog_texts: 'published translations of listings, about no person',
  categories: 'about no person',
  consumed_proofs: 'hashes of single-use proofs',
  departures: 'ids of what was removed; gone within a month',
  events: 'what the exported records said for seven days, for the subgraphs',
  feed_uploads: 'stock of dealers on its way; about no person',
  idempotency_keys: 'answers that other parts hold; gone within a day',
  installations: 'about no person',
  issuers: 'about no person',
  ledger_balances: 'sums of dealers; about no person',
  ledger_maturities: 'when earnings of dealers become available; about no person',
  ledger_proofs: 'sums; about no person',
  ledger_transactions: 'books of dealers; what was paid is in the payments',
  listing_views: 'counters; about no person',
  listing_import_errors: 'about stock of dealers',
  listing_imports: 'about stock of dealers; whoever started one is named by id alone',
  login_attempts: 'counters under hashes; nobody can be found by them',
  media_blocks: 'hashes of bytes that are barred; about no person',
  open_streams: 'random names under hashes; gone with their tokens',
  operators: 'staff of the platform, who have no account here',
  otp_attempts: 'counters of minutes',
  owners: 'counters; what is counted is in other parts',
  pages: 'texts of the installation; their makers are named by id alone',
  payout_accounts: 'accounts of dealers at a provider; about no person',
  payout_account_orders: 'orders of such accounts; about no person',
  payouts: 'what dealers were paid out; who asked is named by id alone',
  payment_events: 'ids of objects at a provider; gone within a month',
  provider_objects: 'what the payment sandbox, and transfers that are booked by hand, know of payments',
  receipt_counters: 'numbers; about no person',
  rate_counts: 'counters under hashes',
  rate_shared_counts: 'counters under hashes',
  relay_cursors: 'positions in the events',
  signing_keys: 'about no person',
  stock_images: 'addresses of images of dealers; about no person',
};
