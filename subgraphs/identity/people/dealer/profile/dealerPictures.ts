import type { ClientSession } from 'mongoose';
import type { FieldProblem } from '../../../../../schema/Problem.ts';
import type { RequestContext } from '../../../../platform/context/RequestContext.ts';
import { scoped } from '../../../../platform/installation/scoped.ts';
import { checkReference } from '../../../media/checkReference.ts';
import { mediaLoader } from '../../../media/mediaLoader.ts';
import { setMediaUsage } from '../../../media/setMediaUsage.ts';
import { DealerModel, type DealerRecord } from '../model.ts';
import type { DealerProfile } from './profile.ts';

/** Members that refer to an image, with the type of the reference. */
const pictures = { logoMediaId: 'logo', bannerMediaId: 'banner' } as const;
const members = Object.keys(pictures) as (keyof typeof pictures)[];

/** Returns errors for newly referenced images that do not belong to the dealer. */
export async function checkPictures(
  context: RequestContext,
  before: DealerRecord,
  after: DealerProfile,
): Promise<FieldProblem[]> {
  const loader = context.loader(mediaLoader);
  const wanted = { ownerId: before._id, purpose: 'logo', kind: 'image' } as const;
  const named = members.flatMap((member) => {
    const id = after[member];
    return id === null || id === before[member] ? [] : [{ id, pointer: `#/${member}` }];
  });
  const found = await Promise.all(
    named.map(async ({ id, pointer }) => checkReference(await loader.load(id), wanted, pointer)),
  );
  return found.flat();
}

/** Updates the usage of images in the transaction that references them. */
export async function attachPictures(
  context: RequestContext,
  before: DealerRecord,
  after: DealerProfile,
  session: ClientSession,
): Promise<void> {
  const idsOf = (id: string | null | undefined) => (id ? [id] : []);
  for (const member of members) {
    const use = { type: pictures[member], id: before._id } as const;
    const change = { before: idsOf(before[member]), after: idsOf(after[member]) };
    await setMediaUsage(context, use, change, session);
  }
}

/** Returns the function that removes a deleted image from the dealer. */
export function detachPicture(member: keyof typeof pictures) {
  return async (
    { installationId, platform }: RequestContext,
    mediaId: string,
    dealerId: string,
    session: ClientSession,
  ): Promise<void> => {
    await scoped(DealerModel, installationId).findOneAndUpdate(
      { _id: dealerId, [member]: mediaId },
      { $set: { [member]: null, updatedAt: new Date(platform.now()) }, $inc: { version: 1 } },
      { session },
    );
  };
}
