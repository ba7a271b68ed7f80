import { refreshPublicListings } from './listings/catalog/refreshPublicListings.ts';
import { listingHooks } from './listings/hooks/listingHooks.ts';
import { detachFile } from './listings/listing/detachFile.ts';
import { archiveListings } from './listings/listing/lifecycle/archiveListings.ts';
import { isLocationUsed } from './listings/listing/record/isLocationUsed.ts';
import { unassignListings } from './listings/listing/record/unassignListings.ts';
import { mediaHooks } from './media/mediaHooks.ts';
import { unassignConversations } from './messaging/block/unassignConversations.ts';
import { inboxesOf } from './messaging/conversation/conversations.ts';
import { lookUpWaiting, sumUnread } from './messaging/conversation/countUnread.ts';
import { conversationLoader } from './messaging/conversation/policy.ts';
import { isAttachedFor } from './messaging/message/isAttachedFor.ts';
import { confirmNotice } from './moderation/report/confirmNotice.ts';
import { hasOpenChargebacks } from './payments/chargeback/hasOpenChargebacks.ts';
import { isEvidenceFor } from './payments/dispute/isEvidenceFor.ts';
import { hasBalance } from './payments/ledger/hasBalance.ts';
import {
  hasOpenDeposits,
  hasOpenPayments,
  isBeingBought,
  isPaidFor,
} from './payments/payment/record/openPayments.ts';
import { hasOpenPayouts } from './payments/payout/hasOpenPayouts.ts';
import { holdPayoutsOf } from './payments/payout/holdPayout.ts';
import { hasOpenRefunds } from './payments/refund/hasOpenRefunds.ts';
import { dealerLoader } from './people/dealer/policy.ts';
import { detachPicture } from './people/dealer/profile/dealerPictures.ts';
import { detachDocument } from './people/dealer-verification/detachDocument.ts';
import { peopleHooks } from './people/hooks/peopleHooks.ts';
import { detachAvatar } from './people/profile/avatar.ts';

/** Binds what the domains add to the use cases of the domains below them. This table lists every such connection. */
export function bindHooks(): void {
  mediaHooks.bind({
    loadDealer: (context, dealerId) => context.loader(dealerLoader).load(dealerId),
    users: {
      avatar: { detach: detachAvatar },
      logo: { detach: detachPicture('logoMediaId') },
      banner: { detach: detachPicture('bannerMediaId') },
      verification: { detach: detachDocument },
      listing: { detach: detachFile },
      message: { isReadableBy: isAttachedFor },
      evidence: { isReadableBy: isEvidenceFor },
    },
  });
  peopleHooks.bind({
    dealerObligations: [
      { name: 'balance', isOpen: hasBalance },
      { name: 'payments', isOpen: hasOpenPayments },
      { name: 'deposits', isOpen: hasOpenDeposits },
      { name: 'payouts', isOpen: hasOpenPayouts },
      { name: 'refunds', isOpen: hasOpenRefunds },
      { name: 'chargebacks', isOpen: hasOpenChargebacks },
    ],
    dealerSuspended: holdPayoutsOf,
    async dealerClosing(context, { dealerId, assertHeld }) {
      await archiveListings(context, { ownerId: dealerId, reason: 'dealer_closed', assertHeld });
    },
    isLocationUsed,
    async membershipEnded(context, membership, session) {
      await unassignListings(context, membership, session);
      await unassignConversations(context, membership, session);
    },
    ownerChanged: refreshPublicListings,
    confirmAddress: confirmNotice,
    unread: {
      lookUp: (context) => lookUpWaiting(inboxesOf(context.viewer), context),
      sum: (waiting, viewer) => sumUnread(waiting, inboxesOf(viewer)),
    },
  });
  listingHooks.bind({
    isPaidFor,
    isBeingBought,
    async isAbout(conversationId, { _id }, context) {
      const conversation = await context.loader(conversationLoader).load(conversationId);
      return conversation?.listingId === _id;
    },
  });
}
