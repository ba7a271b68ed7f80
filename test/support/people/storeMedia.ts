import { createHash } from 'node:crypto';
import { MediaModel, type MediaRecord, newMedia } from '../../../subgraphs/identity/media/model.ts';
import { newId } from '../../../subgraphs/platform/ids/newId.ts';
import { scoped } from '../../../subgraphs/platform/installation/scoped.ts';

/** Stores a processed picture for listings, without its bytes, and returns its id. */
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
      // Unique, because blocking a file blocks all files with the same bytes.
      sha256: createHash('sha256').update(_id).digest('hex'),
      original: _id,
      createdAt: new Date(),
      ...changes,
    }),
  );
  return _id;
}
