import { Schema } from 'mongoose';
import { firstOutbox, outbox, type RecordWithOutbox } from '../../platform/events/outbox.ts';
import { defineModel } from '../../platform/mongo/defineModel.ts';
import type { OwnerRef } from '../kernel/owner/OwnerRef.ts';
import type { MediaState } from './states.ts';

/** What a file is, by its bytes. */
export const mediaKinds = ['image', 'document', 'video'] as const;

export type MediaKind = (typeof mediaKinds)[number];

/** What a file is for; fixed. */
export const mediaPurposes = ['listing', 'avatar', 'logo', 'verification', 'message', 'evidence'] as const;

export type MediaPurpose = (typeof mediaPurposes)[number];

/** Widths of renditions by name, in pixels: `thumb` 320, `small` 640, `medium` 1,280, `large` 1,920. */
export interface StoredRendition {
  name: 'thumb' | 'small' | 'medium' | 'large';
  format: 'webp' | 'jpeg';
  width: number;
  height: number;
  byteSize: number;
  /** Hexadecimal, of these bytes: part of their key and of their public address. */
  sha256: string;
}

/** A record that shows a file, or is proven by it. `id` is that of the listing, user, dealer, message or dispute. */
export interface MediaUse {
  type: 'listing' | 'avatar' | 'logo' | 'banner' | 'verification' | 'message' | 'evidence';
  id: string;
}

/** What was said of a file before its bytes came. */
export interface StoredUpload {
  /** Null: as many as its kind allows. */
  byteSize: number | null;
  /** Hexadecimal; null where it was not stated. */
  sha256: string | null;
  contentType: string;
  expiresAt: Date;
}

/** A file of a user or dealer. */
export interface MediaRecord extends RecordWithOutbox {
  _id: string;
  installationId: string;
  owner: OwnerRef;
  /** By what was declared, until processing has looked at the bytes. */
  kind: MediaKind;
  purpose: MediaPurpose;
  state: MediaState;
  /** Why it failed: a code of the registry, or of `processing/`, and a sentence for the owner. */
  failure: { code: string; detail: string } | null;
  filename: string;
  /** As declared, until processing has looked at the bytes. */
  contentType: string;
  /** As declared (0 where it was not), until the bytes were counted. */
  byteSize: number;
  /** Of the original, hexadecimal; null until it is there. */
  sha256: string | null;
  /** Pixels of the upright image: EXIF orientation and `rotation` applied. */
  width: number | null;
  height: number | null;
  /** Of a video. */
  durationMs: number | null;
  altText: string | null;
  /** What must stay visible in a crop, from 0 to 1 of width and height of the upright image. */
  focalPoint: { x: number; y: number } | null;
  /** Clockwise degrees, after the EXIF orientation. A change of it makes all renditions again. */
  rotation: 0 | 90 | 180 | 270;
  blurHash: string | null;
  /** `#rrggbb`. */
  dominantColor: string | null;
  renditions: StoredRendition[];
  /** Renditions that were begun, or replaced, and whose bytes are still to be removed. */
  strays: Pick<StoredRendition, 'sha256' | 'format'>[];
  /** Whether the store withholds these files; `updateDelivery` brings it to what the state says. */
  withheld: boolean;
  /** What refers to it, kept by `setMediaUsage` in the transaction of the reference. */
  usage: MediaUse[];
  /** What forbids that it goes, besides papers that a verification stands on: open cases name themselves here. */
  legalHolds: { type: string; id: string }[];
  /** Null where nothing was to be uploaded, and once what an upload may have left is cleared away. */
  upload: StoredUpload | null;
  /** Name of the original in the store, see `originalKey`; several records of one owner may share it. */
  original: string | null;
  /** Names under which originals of this record were begun: what a crash leaves is found here. */
  drafts: string[];
  block: { by: string; at: Date; reason: string | null } | null;
  /** Begun runs of processing since it entered that state. */
  attempts: number;
  /** Fence of the run of the job that works on it. */
  fence: number;
  /** When it came to its state; what waits too long is found by it. */
  stateAt: Date;
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

/** What the creator of a file states of it. */
type NewMedia = Pick<
  MediaRecord,
  '_id' | 'owner' | 'kind' | 'purpose' | 'state' | 'filename' | 'contentType' | 'byteSize' | 'createdAt'
> &
  Partial<MediaRecord>;

/** A file of which nothing else is known yet. */
export function newMedia(media: NewMedia): Omit<MediaRecord, 'installationId'> {
  return {
    failure: null,
    sha256: null,
    width: null,
    height: null,
    durationMs: null,
    altText: null,
    focalPoint: null,
    rotation: 0,
    blurHash: null,
    dominantColor: null,
    renditions: [],
    strays: [],
    withheld: false,
    usage: [],
    legalHolds: [],
    upload: null,
    original: null,
    drafts: [],
    block: null,
    attempts: 0,
    fence: 0,
    stateAt: media.createdAt,
    version: 1,
    updatedAt: media.createdAt,
    ...firstOutbox({ platform: { now: () => media.createdAt.getTime() } }, 'object.created'),
    ...media,
  };
}

const embedded = { _id: false, id: false } as const;
const nullable = { type: String, default: null } as const;
const number = { type: Number, default: null } as const;
const required = { type: String, required: true } as const;
const reference = new Schema({ type: required, id: required }, embedded);

const rendition = new Schema<StoredRendition>(
  {
    name: required,
    format: required,
    width: { type: Number, required: true },
    height: { type: Number, required: true },
    byteSize: { type: Number, required: true },
    sha256: required,
  },
  embedded,
);

const upload = new Schema<StoredUpload>(
  {
    byteSize: number,
    sha256: nullable,
    contentType: required,
    expiresAt: { type: Date, required: true },
  },
  embedded,
);

/** Name of the job that processes new files. */
export const mediaProcessingJob = 'identity.media-processing';

export const MediaModel = defineModel<MediaRecord>(
  'media',
  new Schema<MediaRecord>({
    _id: String,
    owner: { type: required, id: required },
    kind: required,
    purpose: required,
    state: required,
    failure: { type: new Schema({ code: String, detail: String }, embedded), default: null },
    filename: required,
    contentType: required,
    byteSize: { type: Number, required: true },
    sha256: nullable,
    width: number,
    height: number,
    durationMs: number,
    altText: nullable,
    focalPoint: { type: new Schema({ x: Number, y: Number }, embedded), default: null },
    rotation: { type: Number, required: true },
    blurHash: nullable,
    dominantColor: nullable,
    renditions: [rendition],
    strays: [new Schema({ sha256: required, format: required }, embedded)],
    withheld: { type: Boolean, default: false },
    usage: [reference],
    legalHolds: [reference],
    upload: { type: upload, default: null },
    original: nullable,
    drafts: [String],
    block: { type: new Schema({ by: String, at: Date, reason: nullable }, embedded), default: null },
    attempts: { type: Number, required: true },
    fence: { type: Number, required: true },
    stateAt: { type: Date, required: true },
    version: { type: Number, required: true },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
  })
    .index({ installationId: 1, 'owner.id': 1, createdAt: -1, _id: -1 })
    .index({ installationId: 1, 'owner.id': 1, state: 1, createdAt: -1, _id: -1 })
    // Bytes that the owner has already, and files that a decision about bytes concerns.
    .index({ installationId: 1, sha256: 1, 'owner.id': 1 })
    .index({ installationId: 1, original: 1 })
    .index({ installationId: 1, withheld: 1, state: 1, _id: 1 })
    .index({ installationId: 1, 'upload.expiresAt': 1 })
    .index({ installationId: 1, state: 1, stateAt: 1, _id: 1 })
    .plugin(outbox),
);
