import { scoped } from '../../platform/installation/scoped.ts';
import type { ExportPart, PersonalData } from '../kernel/personal-data/PersonalData.ts';
import { readAll } from '../kernel/personal-data/readAll.ts';
import { toReadable } from '../kernel/personal-data/toReadable.ts';
import { MediaModel, type MediaRecord } from './model.ts';
import { deleteFilesOf } from './removal/deleteFilesOf.ts';

const files: ExportPart = {
  file: 'files.json',
  title: 'Files',
  description: 'Files that you own: names, types and sizes.',
  collections: ['media'],
  async *records({ installationId, user }) {
    const own = scoped(MediaModel, installationId);
    for await (const file of readAll(own, { 'owner.id': user._id }, 'createdAt'))
      yield toReadable(shownOf(file));
  },
};

/** Returns the type and description of a file, without the location of its bytes. */
function shownOf({ _id, owner, kind, purpose, state, ...file }: MediaRecord): object {
  const { filename, contentType, byteSize, sha256, width, height, durationMs } = file;
  const { altText, focalPoint, rotation, usage, createdAt, updatedAt } = file;
  const facts = { filename, contentType, byteSize, sha256, width, height, durationMs };
  return {
    _id,
    owner,
    kind,
    purpose,
    state,
    ...facts,
    altText,
    focalPoint,
    rotation,
    usage,
    createdAt,
    updatedAt,
  };
}

export const personalData: PersonalData = { exports: [files], erase: deleteFilesOf };
