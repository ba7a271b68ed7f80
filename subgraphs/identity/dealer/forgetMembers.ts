import type { RequestContext } from '../../platform/context/RequestContext.ts';
import type { DealerRecord } from './model.ts';

/** After a write that changes what guards see of a dealer: its members are read again by the next request. */
export function forgetMembers(
  { platform }: Pick<RequestContext, 'platform'>,
  { members }: DealerRecord,
): void {
  for (const { userId } of members) platform.forgetPrincipal({ userId });
}
