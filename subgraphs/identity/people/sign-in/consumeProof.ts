import { createHash } from 'node:crypto';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { ConsumedProofModel } from '../session/model.ts';

/**
 * Marks a single-use proof, such as an external token, as used. Of concurrent requests with one proof exactly one
 * succeeds.
 *
 * @param proof the text of the proof, or what names it; only a hash is kept
 * @param expiresAt when the proof is refused for its age anyway, so that it can be forgotten
 */
export async function consumeProof(
  { installationId }: RequestContext,
  proof: string,
  expiresAt: Date,
): Promise<boolean> {
  const _id = createHash('sha256')
    .update(JSON.stringify([installationId, proof]))
    .digest('base64url');
  const refused = await scoped(ConsumedProofModel, installationId).insertAbsent([{ _id, expiresAt }]);
  return refused.size === 0;
}
