import type { ListingModeration } from '../../identity.generated.ts';
import type { StoredModeration } from './record/model.ts';

/** Returns the public outcome of a review. */
export function toModeration(moderation: StoredModeration | null): ListingModeration | null {
  if (!moderation) return null;
  const { decision, reasonCodes, ...rest } = moderation;
  return { ...rest, decision, reasonCodes };
}
