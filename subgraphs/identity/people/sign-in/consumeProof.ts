import { createHash } from 'node:crypto';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { ConsumedProofModel } from '../session/model.ts';

/**
 * Marks a single-use proof, such as an external token, as used. Of concurrent requests with one proof, exactly one
 * succeeds.
 *
 * @param proof text or identifier of the proof; only a hash is stored
 * @param expiresAt time when the proof expires, after which its record is deleted
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
