import { accountOperations } from './identity/accountOperations.ts';
import { adminOperations } from './identity/adminOperations.ts';
import { apiUsageOperations } from './identity/apiUsageOperations.ts';
import { auditOperations } from './identity/auditOperations.ts';
import { catalogOperations } from './identity/catalogOperations.ts';
import { clientOperations } from './identity/clientOperations.ts';
import { dealerOperations } from './identity/dealerOperations.ts';
import { disputeOperations } from './identity/disputeOperations.ts';
import { favoriteOperations } from './identity/favoriteOperations.ts';
import { ledgerOperations } from './identity/ledgerOperations.ts';
import { listingOperations } from './identity/listingOperations.ts';
import { listingStateOperations } from './identity/listingStateOperations.ts';
import { mediaOperations } from './identity/mediaOperations.ts';
import { memberOperations } from './identity/memberOperations.ts';
import { messagingOperations } from './identity/messagingOperations.ts';
import { mfaOperations } from './identity/mfaOperations.ts';
import { moderationOperations } from './identity/moderationOperations.ts';
import { nodeOperations } from './identity/nodeOperations.ts';
import { pageOperations } from './identity/pageOperations.ts';
import { paymentOperations } from './identity/paymentOperations.ts';
import { payoutOperations } from './identity/payoutOperations.ts';
import { sessionOperations } from './identity/sessionOperations.ts';
import { stockOperations } from './identity/stockOperations.ts';
import { userOperations } from './identity/userOperations.ts';
import type { Operation } from './matrix/Operation.ts';
import { aiOperations } from './seo/aiOperations.ts';
import { analysisOperations } from './seo/analysisOperations.ts';
import { auditJobOperations } from './seo/auditJobOperations.ts';
import { recommendationOperations } from './seo/recommendationOperations.ts';
import { rulesetOperations } from './seo/rulesetOperations.ts';
import { languageOperations } from './translation/languageOperations.ts';
import { relationOperations } from './translation/relationOperations.ts';
import { translationOperations } from './translation/translationOperations.ts';

/** The rows of the matrix: every root field, in parts that each run in one test file. */
export const parts = {
  accounts: [
    ...userOperations,
    ...accountOperations,
    ...sessionOperations,
    ...adminOperations,
    ...auditOperations,
    ...apiUsageOperations,
    ...mfaOperations,
    ...memberOperations,
    ...clientOperations,
    ...dealerOperations,
  ],
  money: [...ledgerOperations, ...payoutOperations, ...disputeOperations, ...paymentOperations],
  market: [
    ...listingOperations,
    ...listingStateOperations,
    ...stockOperations,
    ...catalogOperations,
    ...favoriteOperations,
    ...mediaOperations,
  ],
  talk: [...messagingOperations, ...moderationOperations, ...pageOperations, ...nodeOperations],
  seo: [
    ...analysisOperations,
    ...auditJobOperations,
    ...rulesetOperations,
    ...aiOperations,
    ...recommendationOperations,
  ],
  translation: [...languageOperations, ...relationOperations, ...translationOperations],
} satisfies Record<string, readonly Operation[]>;

/** Every root field of the three interfaces. */
export const operations: readonly Operation[] = Object.values(parts).flat();
