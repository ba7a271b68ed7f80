import type { OwnershipPolicy } from '../../../platform/auth/ownership.ts';
import type { Viewer } from '../../../platform/principal/Viewer.ts';
import { mediaHooks } from '../mediaHooks.ts';
import type { MediaRecord } from '../model.ts';
import { mediaPolicy, ownsMedia } from '../policy.ts';

/** A file whose original is requested. */
interface Original {
  media: MediaRecord;
  /** Whether it is attached to a message that the viewer may read, or to a dispute of the viewer. */
  isAttached: boolean;
}

/** The owner may read the original. So may participants of a conversation or dispute that it is attached to. */
export const downloadPolicy: OwnershipPolicy<Original> = {
  async load(id, context) {
    const media = await mediaPolicy.load(id, context);
    if (!media) return null;
    for (const { isReadableBy } of Object.values(mediaHooks.bound.users)) {
      if (await isReadableBy?.(media, context)) return { media, isAttached: true };
    }
    return { media, isAttached: false };
  },
  isOwner: (viewer, { media, isAttached }) => isAttached || ownsMedia(viewer, media),
};

/** Returns whether the viewer verifies dealers. Such staff can read verification documents and no other files. */
export function verifiesPapers(viewer: Viewer, { purpose }: Pick<MediaRecord, 'purpose'>): boolean {
  return purpose === 'verification' && viewer.breadthOf('dealers:verify') === 'any';
}
