import type { ClientSession } from 'mongoose';
import { AppError } from '../../../../platform/errors/AppError.ts';
import { type Obligation, peopleHooks } from '../../hooks/peopleHooks.ts';
import type { DealerRecord } from '../model.ts';

/**
 * Checks that the dealer has no obligations.
 *
 * @throws AppError `open_obligations` with all of them
 */
export async function assertNoObligations(
  dealer: DealerRecord,
  session: ClientSession,
  kinds: readonly Obligation[] = peopleHooks.bound.dealerObligations,
): Promise<void> {
  const open: string[] = [];
  for (const { name, isOpen } of kinds) if (await isOpen(dealer, session)) open.push(name);
  if (open.length === 0) return;
  throw new AppError(
    'open_obligations',
    `The dealer still has open obligations: ${open.join(', ')}. Complete these first.`,
    {
      obligations: open,
    },
  );
}
