import type { ClientSession } from 'mongoose';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError } from '../../../platform/errors/AppError.ts';
import type { ApproveDealerInput } from '../../identity.generated.ts';
import { setMediaUsage } from '../../media/setMediaUsage.ts';
import { assertNotClosing } from '../dealer/assertNotClosing.ts';
import type { DealerRecord } from '../dealer/model.ts';
import { decideDealer } from '../dealer/standing/decideDealer.ts';
import { nextState } from '../dealer/states.ts';
import type { StoredApproval, StoredVerification } from '../dealer/verification.ts';
import { assertNote } from './assertNote.ts';
import { contentOf, filesOf, verificationOf } from './contentOf.ts';
import { assertTransition } from './states.ts';

/** Validity of an approval in months, if no document expires before. */
const monthsInForce = 24;

export async function approveDealer(
  input: ApproveDealerInput,
  context: RequestContext,
): Promise<{ dealer: DealerRecord }> {
  const { dealerId, expectedVersion } = input;
  const note = input.note?.trim() || null;
  const decision = { decidedAt: new Date(context.platform.now()), decidedBy: context.viewer.id, note };
  return {
    dealer: await decideDealer(context, {
      action: 'approveDealer',
      dealerId,
      expectedVersion,
      reason: note,
      authorize: (dealer) => assertFourEyes(context, dealer),
      assertMeaning: () => assertNote(note),
      change: async (before, session) => {
        const verification = verificationOf(before);
        assertNotClosing(before);
        assertTransition(verification, 'approveDealer', 'approved');
        await releasePapers(context, before, session);
        return {
          verification: { ...verification, ...decision, state: 'approved', reasonCodes: [] },
          approval: toApproval(verification, decision),
          // An active or suspended dealer keeps its state: only a new version was approved.
          ...(before.state === 'onboarding'
            ? { state: nextState(before.state, 'approveDealer', 'approved'), stateReason: null }
            : {}),
        };
      },
      mail: { template: 'dealerApproved', data: ({ tradeName }) => ({ tradeName }) },
    }),
  };
}

/** Refuses approval by staff who act for the dealer, or who submitted its documents. */
function assertFourEyes({ viewer }: RequestContext, { members, verification }: DealerRecord): void {
  const isInvolved =
    members.some(({ userId }) => userId === viewer.id) || verification?.submittedBy === viewer.id;
  if (isInvolved)
    throw new AppError('four_eyes', 'You act for this dealer, so another operator must decide.');
}

/** Releases documents of the previous approval that the new one does not use, so that the dealer can delete them. */
function releasePapers(context: RequestContext, before: DealerRecord, session: ClientSession): Promise<void> {
  const verification = verificationOf(before);
  const use = { type: 'verification', id: before._id } as const;
  const files = { before: filesOf(verification, before.approval), after: filesOf(verification) };
  return setMediaUsage(context, use, files, session);
}

function toApproval(
  verification: StoredVerification,
  { decidedAt, decidedBy }: { decidedAt: Date; decidedBy: string },
): StoredApproval {
  return {
    ...contentOf(verification),
    version: verification.version,
    approvedAt: decidedAt,
    approvedBy: decidedBy,
    expiresAt: expiryOf(verification, decidedAt),
  };
}

/** Returns the expiry: after 24 months, or at the end of the last day of the document that expires first. */
function expiryOf({ documents }: StoredVerification, from: Date): Date {
  const longest = new Date(from);
  longest.setUTCMonth(longest.getUTCMonth() + monthsInForce);
  const ends = documents.flatMap(({ expiresOn }) => (expiresOn ? [endOf(expiresOn)] : []));
  return new Date(Math.min(longest.getTime(), ...ends));
}

function endOf(day: string): number {
  return Date.parse(`${day}T24:00:00Z`);
}
