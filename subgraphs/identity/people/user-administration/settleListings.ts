import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { settleOwner } from '../../listings/catalog/settleOwner.ts';

/**
 * Shows or hides the listings of a user whose standing has changed. The change itself is committed and a job finishes
 * what fails here, so a failure is nobody's answer.
 */
export async function settleListings(context: RequestContext, userId: string): Promise<void> {
  await settleOwner(context, userId).catch((error: unknown) => {
    const { platform, installationId, requestId } = context;
    platform.log.warn({ err: error, installationId, userId, requestId }, 'listings are settled by the job');
  });
}
