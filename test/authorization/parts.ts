import { catalogOperations } from './identity/catalogOperations.ts';
import { disputeOperations } from './identity/disputeOperations.ts';
import { favoriteOperations } from './identity/favoriteOperations.ts';
import { ledgerOperations } from './identity/ledgerOperations.ts';
import { listingOperations } from './identity/listingOperations.ts';
import { listingStateOperations } from './identity/listingStateOperations.ts';
import { mediaOperations } from './identity/mediaOperations.ts';
import { messagingOperations } from './identity/messagingOperations.ts';
import { moderationOperations } from './identity/moderationOperations.ts';
import { pageOperations } from './identity/pageOperations.ts';
import { paymentOperations } from './identity/paymentOperations.ts';
import { payoutOperations } from './identity/payoutOperations.ts';
import { stockOperations } from './identity/stockOperations.ts';
import { identityOperations } from './matrix/identityOperations.ts';
import type { Operation } from './matrix/Operation.ts';
import { seoOperations } from './matrix/seoOperations.ts';
import { translationOperations } from './matrix/translationOperations.ts';

const money = [...ledgerOperations, ...payoutOperations, ...disputeOperations, ...paymentOperations];
const market = [
  ...listingOperations,
  ...listingStateOperations,
  ...stockOperations,
  ...catalogOperations,
  ...favoriteOperations,
  ...mediaOperations,
];
const talk = [...messagingOperations, ...moderationOperations, ...pageOperations];
const named: ReadonlySet<Operation> = new Set([...money, ...market, ...talk]);

/** The rows of the matrix in parts that each run in one test file. Every row is in exactly one part. */
export const parts = {
  accounts: identityOperations.filter((operation) => !named.has(operation)),
  money,
  market,
  talk,
  seo: seoOperations,
  translation: translationOperations,
} satisfies Record<string, readonly Operation[]>;
