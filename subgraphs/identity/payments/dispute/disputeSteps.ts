import type { Steps } from '../steps/takeSteps.ts';
import { DisputeModel, type DisputeRecord } from './record/model.ts';

/** The steps of a dispute: the staff reviews a dispute without a response of the dealer within seven days. */
export const disputeSteps: Steps<DisputeRecord> = {
  model: DisputeModel,
  events: {
    needs_response: 'dispute.opened',
    under_review: 'dispute.updated',
    won: 'dispute.decided',
    lost: 'dispute.decided',
    split: 'dispute.decided',
    withdrawn: 'dispute.withdrawn',
  },
  next: {
    needs_response: () => ({ changes: { state: 'under_review', dueAt: null } }),
    under_review: null,
    won: null,
    lost: null,
    split: null,
    withdrawn: null,
  },
};
