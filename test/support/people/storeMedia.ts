import { createHash } from 'node:crypto';
import { MediaModel, type MediaRecord, newMedia } from '../../../subgraphs/identity/media/model.ts';
import { newId } from '../../../subgraphs/platform/ids/newId.ts';
import { scoped } from '../../../subgraphs/platform/installation/scoped.ts';

/** Stores a picture for listings as processing leaves it, without its bytes. Answers its id. */
export async function storeMedia(
  installationId: string,
  owner: MediaRecord['owner'],
  changes: Partial<MediaRecord> = {},
): Promise<string> {
  const _id = newId('media');
  await scoped(MediaModel, installationId).insert(
    newMedia({
      _id,
      owner,
      kind: 'image',
      purpose: 'listing',
      state: 'ready',
      filename: 'car.jpg',
      contentType: 'image/jpeg',
      byteSize: 1000,
      // Unlike that of any other: who blocks bytes blocks every file that has them.
      sha256: createHash('sha256').update(_id).digest('hex'),
      original: _id,
      createdAt: new Date(),
      ...changes,
    }),
  );
  return _id;
}
