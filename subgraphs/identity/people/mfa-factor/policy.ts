import DataLoader from 'dataloader';
import type { OwnershipPolicy } from '../../../platform/auth/ownership.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { isId } from '../../../platform/ids/newId.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { type MfaFactorRecord, UserModel } from '../user/model.ts';
import { liveFactors } from './liveFactors.ts';

/** A factor and whose it is. */
interface OwnedFactor {
  userId: string;
  factor: MfaFactorRecord;
}

/**
 * Returns a loader of factors by id, batched per request; null for a removed factor, and for one of another
 * installation.
 */
function factorLoader({ installationId, platform }: RequestContext): DataLoader<string, OwnedFactor | null> {
  return new DataLoader(async (ids) => {
    const known = ids.filter((id) => isId('mfaFactor', id));
    const users =
      known.length > 0
        ? await scoped(UserModel, installationId).find(
            { 'factors.id': { $in: known } },
            { projection: { factors: 1 } },
          )
        : [];
    const byId = new Map<string, OwnedFactor>();
    for (const { _id: userId, factors } of users)
      for (const factor of liveFactors(factors, platform.now())) byId.set(factor.id, { userId, factor });
    return ids.map((id) => byId.get(id) ?? null);
  });
}

export const factorPolicy: OwnershipPolicy<OwnedFactor> = {
  load: (id, context) => context.loader(factorLoader).load(id),
  isOwner: (viewer, { userId }) => viewer.id === userId,
};
