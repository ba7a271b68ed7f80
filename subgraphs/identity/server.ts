import { buildSubgraph, type Subgraph } from '../platform/subgraph/buildSubgraph.ts';
import { bindHooks } from './bindHooks.ts';
import { event } from './feed/event/resolvers.ts';
import type { IdentityResource, PersonalData } from './kernel/personal-data/PersonalData.ts';
import { catalogSearchOf } from './listings/catalog/catalogSearchOf.ts';
import { catalog } from './listings/catalog/resolvers.ts';
import { catalogDealer } from './listings/catalog-dealer/resolvers.ts';
import { catalogText } from './listings/catalog-text/resolvers.ts';
import { category } from './listings/category/resolvers.ts';
import { favorite } from './listings/favorite/resolvers.ts';
import { inventory } from './listings/inventory/resolvers.ts';
import { listing } from './listings/listing/resolvers.ts';
import { listingImport } from './listings/listing-import/resolvers.ts';
import { listingModeration } from './listings/listing-moderation/resolvers.ts';
import { listingStats } from './listings/listing-stats/resolvers.ts';
import { savedSearch } from './listings/saved-search/resolvers.ts';
import { stockImage } from './listings/stock-image/resolvers.ts';
import { mail } from './mail/resolvers.ts';
import { media } from './media/resolvers.ts';
import { block } from './messaging/block/resolvers.ts';
import { conversation } from './messaging/conversation/resolvers.ts';
import { message } from './messaging/message/resolvers.ts';
import { notice } from './moderation/notice/resolvers.ts';
import { report } from './moderation/report/resolvers.ts';
import { page } from './pages/page/resolvers.ts';
import { chargeback } from './payments/chargeback/resolvers.ts';
import { dispute } from './payments/dispute/resolvers.ts';
import { ledger } from './payments/ledger/resolvers.ts';
import { payment } from './payments/payment/resolvers.ts';
import { paymentEvent } from './payments/payment-event/resolvers.ts';
import { paymentMail } from './payments/payment-mail/resolvers.ts';
import { paymentMethod } from './payments/payment-method/resolvers.ts';
import { payout } from './payments/payout/resolvers.ts';
import { payoutAccount } from './payments/payout-account/resolvers.ts';
import { refund } from './payments/refund/resolvers.ts';
import { sandboxPayment } from './payments/sandbox-payment/resolvers.ts';
import { apiClient } from './people/api-client/resolvers.ts';
import { apiUsage } from './people/api-usage/resolvers.ts';
import { auditEvent } from './people/audit-event/resolvers.ts';
import { consent } from './people/consent/resolvers.ts';
import { dealer } from './people/dealer/resolvers.ts';
import { dealerInvitation } from './people/dealer-invitation/resolvers.ts';
import { dealerMember } from './people/dealer-member/resolvers.ts';
import { dealerVerification } from './people/dealer-verification/resolvers.ts';
import { emailVerification } from './people/email-verification/resolvers.ts';
import { issuer } from './people/issuer/resolvers.ts';
import { mailLink } from './people/mail-link/resolvers.ts';
import { mfaFactor } from './people/mfa-factor/resolvers.ts';
import { operator } from './people/operator/resolvers.ts';
import { passwordReset } from './people/password-reset/resolvers.ts';
import { profile } from './people/profile/resolvers.ts';
import { registration } from './people/registration/resolvers.ts';
import { role } from './people/role/resolvers.ts';
import { session } from './people/session/resolvers.ts';
import { signIn } from './people/sign-in/resolvers.ts';
import { signingKey } from './people/signing-key/resolvers.ts';
import { startSigning } from './people/signing-key/startSigning.ts';
import { user } from './people/user/resolvers.ts';
import { userAdministration } from './people/user-administration/resolvers.ts';
import { accountDeletion } from './privacy/account-deletion/resolvers.ts';
import { personalData as ownExports } from './privacy/data-export/personalData.ts';
import { dataExport } from './privacy/data-export/resolvers.ts';

const resources: readonly IdentityResource[] = [
  // An archive of personal data lists its files in this order.
  user,
  mfaFactor,
  consent,
  session,
  mailLink,
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
  chargeback,
  paymentMethod,
  report,
  notice,
  mail,
  auditEvent,
  profile,
  registration,
  signIn,
  userAdministration,
  role,
  emailVerification,
  passwordReset,
  signingKey,
  operator,
  issuer,
  dealerVerification,
  apiClient,
  apiUsage,
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

/** Personal data of all resources. */
export const personalData: readonly PersonalData[] = [
  ...resources.flatMap(({ person }) => person ?? []),
  ownExports,
];
/** Files of an archive of personal data. */
export const exportParts = personalData.flatMap(({ exports }) => exports ?? []);

/** Builds the subgraph of accounts and everything that belongs to an account. */
export default function buildIdentity(): Subgraph {
  bindHooks();
  return buildSubgraph('identity', [...resources, accountDeletion(personalData), dataExport(exportParts)], {
    open: startSigning,
    warm: (platform) => catalogSearchOf(platform).warm(platform),
    notices: ({ mail }) => [mail.description],
  });
}
