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

/** The subgraph that says who somebody is and what belongs to him. */
export function buildIdentity(): Subgraph {
  return buildSubgraph('identity', [
    user,
    userAdministration,
    role,
    auditEvent,
    accountDeletion,
    accountToken,
    emailVerification,
    passwordReset,
    consent,
    dataExport,
    mfaFactor,
    session,
    signingKey,
    mail,
    operator,
    issuer,
    dealer,
    dealerVerification,
    media,
    apiClient,
    dealerMember,
    dealerInvitation,
    category,
    listing,
    listingModeration,
    report,
    notice,
    listingStats,
    inventory,
    stockImage,
    listingImport,
    catalog,
    catalogDealer,
    catalogText,
    favorite,
    savedSearch,
    conversation,
    message,
    block,
    event,
    ledger,
    payout,
    payoutAccount,
    refund,
    dispute,
    page,
    payment,
    paymentMethod,
    paymentEvent,
    paymentMail,
    sandboxPayment,
  ]);
}
