import { buildSubgraph, type Subgraph } from '../platform/subgraph/buildSubgraph.ts';
import { accountDeletion } from './account-deletion/resolvers.ts';
import { accountToken } from './account-token/resolvers.ts';
import { apiClient } from './api-client/resolvers.ts';
import { auditEvent } from './audit-event/resolvers.ts';
import { block } from './block/resolvers.ts';
import { catalog } from './catalog/resolvers.ts';
import { catalogDealer } from './catalog-dealer/resolvers.ts';
import { catalogText } from './catalog-text/resolvers.ts';
import { category } from './category/resolvers.ts';
import { consent } from './consent/resolvers.ts';
import { conversation } from './conversation/resolvers.ts';
import { personalData as ownExports } from './data-export/personalData.ts';
import { dataExport } from './data-export/resolvers.ts';
import { dealer } from './dealer/resolvers.ts';
import { dealerInvitation } from './dealer-invitation/resolvers.ts';
import { dealerMember } from './dealer-member/resolvers.ts';
import { dealerVerification } from './dealer-verification/resolvers.ts';
import { dispute } from './dispute/resolvers.ts';
import { emailVerification } from './email-verification/resolvers.ts';
import { event } from './event/resolvers.ts';
import { favorite } from './favorite/resolvers.ts';
import { inventory } from './inventory/resolvers.ts';
import { issuer } from './issuer/resolvers.ts';
import { ledger } from './ledger/resolvers.ts';
import { listing } from './listing/resolvers.ts';
import { listingImport } from './listing-import/resolvers.ts';
import { listingModeration } from './listing-moderation/resolvers.ts';
import { listingStats } from './listing-stats/resolvers.ts';
import { mail } from './mail/resolvers.ts';
import { media } from './media/resolvers.ts';
import { message } from './message/resolvers.ts';
import { mfaFactor } from './mfa-factor/resolvers.ts';
import { notice } from './notice/resolvers.ts';
import { operator } from './operator/resolvers.ts';
import { page } from './page/resolvers.ts';
import { passwordReset } from './password-reset/resolvers.ts';
import { payment } from './payment/resolvers.ts';
import { paymentEvent } from './payment-event/resolvers.ts';
import { paymentMail } from './payment-mail/resolvers.ts';
import { paymentMethod } from './payment-method/resolvers.ts';
import { payout } from './payout/resolvers.ts';
import { payoutAccount } from './payout-account/resolvers.ts';
import type { IdentityResource, PersonalData } from './personal-data/PersonalData.ts';
import { refund } from './refund/resolvers.ts';
import { report } from './report/resolvers.ts';
import { role } from './role/resolvers.ts';
import { sandboxPayment } from './sandbox-payment/resolvers.ts';
import { savedSearch } from './saved-search/resolvers.ts';
import { session } from './session/resolvers.ts';
import { signingKey } from './signing-key/resolvers.ts';
import { stockImage } from './stock-image/resolvers.ts';
import { user } from './user/resolvers.ts';
import { userAdministration } from './user-administration/resolvers.ts';

const resources: readonly IdentityResource[] = [
  // An archive of personal data lists its files in this order.
  user,
  mfaFactor,
  consent,
  session,
  accountToken,
  listing,
  media,
  favorite,
  savedSearch,
  conversation,
  message,
  block,
  dealer,
  dealerInvitation,
  payment,
  paymentMethod,
  report,
  notice,
  mail,
  auditEvent,
  userAdministration,
  role,
  emailVerification,
  passwordReset,
  signingKey,
  operator,
  issuer,
  dealerVerification,
  apiClient,
  dealerMember,
  category,
  listingModeration,
  listingStats,
  inventory,
  stockImage,
  listingImport,
  catalog,
  catalogDealer,
  catalogText,
  event,
  ledger,
  payout,
  payoutAccount,
  refund,
  dispute,
  page,
  paymentEvent,
  paymentMail,
  sandboxPayment,
];

/** What all resources store about people. */
export const personalData: readonly PersonalData[] = [
  ...resources.flatMap(({ person }) => person ?? []),
  ownExports,
];
/** Files of an archive of personal data. */
export const exportParts = personalData.flatMap(({ exports }) => exports ?? []);

/** The subgraph of accounts and of everything that belongs to one. */
export function buildIdentity(): Subgraph {
  return buildSubgraph('identity', [...resources, accountDeletion(personalData), dataExport(exportParts)]);
}
