import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { invalidField } from '../../../platform/errors/AppError.ts';
import type { RejectDealerInput } from '../../identity.generated.ts';
import { assertNotClosing } from '../dealer/assertNotClosing.ts';
import type { DealerRecord } from '../dealer/model.ts';
import { decideDealer } from '../dealer/standing/decideDealer.ts';
import { assertNote } from './assertNote.ts';
import { verificationOf } from './contentOf.ts';
import { assertTransition } from './states.ts';

export async function rejectDealer(
  input: RejectDealerInput,
  context: RequestContext,
): Promise<{ dealer: DealerRecord }> {
  const { dealerId, expectedVersion } = input;
  const note = input.note?.trim() || null;
  const reasonCodes = [...new Set(input.reasonCodes)];
  const decision = {
    state: 'rejected',
    decidedAt: new Date(context.platform.now()),
    decidedBy: context.viewer.id,
    reasonCodes,
    note,
    final: input.final ?? false,
  } as const;
  return {
    dealer: await decideDealer(context, {
      action: 'rejectDealer',
      dealerId,
      expectedVersion,
      reason: [...reasonCodes, ...(note ? [note] : [])].join(', '),
      assertMeaning: () => {
        if (reasonCodes.length === 0)
          throw invalidField('#/reasonCodes', 'A rejection needs at least one reason.');
        assertNote(note);
      },
      change: (before) => {
        const verification = verificationOf(before);
        assertNotClosing(before);
        assertTransition(verification, 'rejectDealer', 'rejected');
        return { verification: { ...verification, ...decision } };
      },
      mail: {
        template: 'dealerRejected',
        data: ({ tradeName }) => ({
          tradeName,
          reasons: reasonCodes.join(', '),
          detail: note ?? '',
          final: String(decision.final),
        }),
      },
    }),
  };
}
