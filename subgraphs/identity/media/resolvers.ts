import { notFound } from '../../platform/errors/AppError.ts';
import type {
  MediaResolvers,
  MediaUseResolvers,
  MutationResolvers,
  QueryResolvers,
} from '../identity.generated.ts';
import { onlyReads } from '../kernel/dealer-standing/assertMayChange.ts';
import type { IdentityResource } from '../kernel/personal-data/PersonalData.ts';
import { MediaBlockModel } from './blockModel.ts';
import { contentOf } from './delivery/contentOf.ts';
import { downloadPolicy } from './delivery/downloadPolicy.ts';
import { mediaDownload } from './delivery/mediaDownload.ts';
import { toRenditions } from './delivery/toRenditions.ts';
import { mediaLibrary } from './mediaLibrary.ts';
import { MediaModel, type MediaUse as StoredUse } from './model.ts';
import { personalData } from './personalData.ts';
import { canEditMedia, canReadMedia, mediaPolicy } from './policy.ts';
import { mediaProcessing } from './processing/mediaProcessing.ts';
import { mediaPurge } from './processing/mediaPurge.ts';
import { blockMedia } from './removal/blockMedia.ts';
import { deleteMedia } from './removal/deleteMedia.ts';
import { mediaUpkeep } from './removal/mediaUpkeep.ts';
import { publicPurposes } from './storageKeys.ts';
import { updateMedia } from './updateMedia.ts';
import { completeMediaUpload } from './upload/completeMediaUpload.ts';
import { createMedia } from './upload/createMedia.ts';
import { uploadTarget } from './upload/uploadTarget.ts';

/** Parent of the resolvers of `MediaUse`. */
export type MediaUseParent = StoredUse;

const Query: QueryResolvers = {
  mediaLibrary: (_, args, context) => mediaLibrary(args, context),
  media: async (_, { mediaId }, context) => {
    const record = await mediaPolicy.load(mediaId, context);
    if (!record) throw notFound('The file');
    return record;
  },
  mediaDownload: (_, { mediaId }, context) => mediaDownload(mediaId, context),
};

const Mutation: MutationResolvers = {
  createMedia: (_, { input }, context) => createMedia(input, context),
  completeMediaUpload: async (_, { input }, context) => ({
    media: await completeMediaUpload(input, context),
  }),
  updateMedia: async (_, { input }, context) => ({ media: await updateMedia(input, context) }),
  deleteMedia: async (_, { input }, context) => ({ deletedMediaId: await deleteMedia(input, context) }),
  blockMedia: (_, { input }, context) => blockMedia(input, context),
};

const Media: MediaResolvers = {
  __resolveReference: ({ id }, context) => mediaPolicy.load(id, context),
  visibility: ({ purpose }) => (publicPurposes.includes(purpose) ? 'public' : 'private'),
  renditions: (record, _, context) => toRenditions(record, context),
  upload: (record, _, context) => uploadTarget(record, context),
  ownerId: (record, _, { viewer }) => (canReadMedia(viewer, record) ? record.owner.id : null),
  viewerCanRead: (record, _, { viewer }) => canReadMedia(viewer, record),
  viewerCanEdit: (record, _, { viewer }) => canEditMedia(viewer, record),
  viewerOnlyReads: ({ owner }, _, { viewer }) => onlyReads(viewer, owner.id),
  contentVersion: (record, _, { viewer }) => (canReadMedia(viewer, record) ? record.version : null),
  content: (record, _, { viewer }) => (canReadMedia(viewer, record) ? contentOf(record) : null),
};

const MediaUse: MediaUseResolvers = {
  recordId: ({ id }) => id,
};

export const media: IdentityResource = {
  resolvers: { Query, Mutation, Media, MediaUse },
  records: { Media: { idType: 'media', read: mediaPolicy.load } },
  policies: { Media: mediaPolicy, MediaDownload: downloadPolicy },
  models: [MediaModel, MediaBlockModel],
  person: personalData,
  jobs: [mediaUpkeep, mediaProcessing, mediaPurge],
};
