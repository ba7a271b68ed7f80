import { accountOperations } from '../identity/accountOperations.ts';
import { adminOperations } from '../identity/adminOperations.ts';
import { apiUsageOperations } from '../identity/apiUsageOperations.ts';
import { auditOperations } from '../identity/auditOperations.ts';
import { catalogOperations } from '../identity/catalogOperations.ts';
import { clientOperations } from '../identity/clientOperations.ts';
import { dealerOperations } from '../identity/dealerOperations.ts';
import { disputeOperations } from '../identity/disputeOperations.ts';
import { favoriteOperations } from '../identity/favoriteOperations.ts';
import { ledgerOperations } from '../identity/ledgerOperations.ts';
import { listingOperations } from '../identity/listingOperations.ts';
import { listingStateOperations } from '../identity/listingStateOperations.ts';
import { mediaOperations } from '../identity/mediaOperations.ts';
import { memberOperations } from '../identity/memberOperations.ts';
import { messagingOperations } from '../identity/messagingOperations.ts';
import { mfaOperations } from '../identity/mfaOperations.ts';
import { moderationOperations } from '../identity/moderationOperations.ts';
import { pageOperations } from '../identity/pageOperations.ts';
import { paymentOperations } from '../identity/paymentOperations.ts';
import { payoutOperations } from '../identity/payoutOperations.ts';
import { sessionOperations } from '../identity/sessionOperations.ts';
import { stockOperations } from '../identity/stockOperations.ts';
import { userOperations } from '../identity/userOperations.ts';
import type { Operation } from './Operation.ts';

/** Interface A: a file per group of methods. */
export const identityOperations: readonly Operation[] = [
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
  ...listingOperations,
  ...listingStateOperations,
  ...stockOperations,
  ...catalogOperations,
  ...favoriteOperations,
  ...mediaOperations,
  ...pageOperations,
  ...moderationOperations,
  ...messagingOperations,
  ...ledgerOperations,
  ...payoutOperations,
  ...disputeOperations,
  ...paymentOperations,
];
