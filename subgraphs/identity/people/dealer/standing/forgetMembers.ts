import type { RequestContext } from '../../../../platform/context/RequestContext.ts';
import type { DealerRecord } from '../model.ts';

/**
 * Drops the cached members and API clients of a dealer after a change that guards must see. The next request reads them
 * again, including new members.
 */
export function forgetMembers(
  { platform }: Pick<RequestContext, 'platform'>,
  { _id, members }: DealerRecord,
): void {
  platform.forgetPrincipal({ dealerId: _id });
  for (const { userId } of members) platform.forgetPrincipal({ userId });
}
