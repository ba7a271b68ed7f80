import type { RequestContext } from '../../../../platform/context/RequestContext.ts';
import type { DealerRecord } from '../model.ts';

/**
 * After a write that changes what guards see of a dealer: its members and API clients are read again by the next
 * request, new members included.
 */
export function forgetMembers(
  { platform }: Pick<RequestContext, 'platform'>,
  { _id, members }: DealerRecord,
): void {
  platform.forgetPrincipal({ dealerId: _id });
  for (const { userId } of members) platform.forgetPrincipal({ userId });
}
