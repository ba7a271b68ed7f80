import { Schema } from 'mongoose';
import { firstOutbox, outbox, type RecordWithOutbox } from '../../platform/events/outbox.ts';
import { defineModel } from '../../platform/mongo/defineModel.ts';
import type { OwnerRef } from '../kernel/owner/OwnerRef.ts';
import type { MediaState } from './states.ts';

/** Type of a file, detected from its bytes. */
export const mediaKinds = ['image', 'document', 'video'] as const;

export type MediaKind = (typeof mediaKinds)[number];

/** Purpose of a file, which cannot be changed. */
export const mediaPurposes = ['listing', 'avatar', 'logo', 'verification', 'message', 'evidence'] as const;

export type MediaPurpose = (typeof mediaPurposes)[number];

/** Widths of renditions by name, in pixels: `thumb` 320, `small` 640, `medium` 1,280, `large` 1,920. */
export interface StoredRendition {
  name: 'thumb' | 'small' | 'medium' | 'large';
  format: 'webp' | 'jpeg';
  width: number;
  height: number;
  byteSize: number;
  /** Hexadecimal digest of these bytes; part of their key and public URL. */
  sha256: string;
}

/**
 * A record that shows a file, or that the file proves. `id` is that of the listing, user, dealer, message or dispute.
 */
export interface MediaUse {
  type: 'listing' | 'avatar' | 'logo' | 'banner' | 'verification' | 'message' | 'evidence';
  id: string;
}

/** Declaration of a file before its upload. */
export interface StoredUpload {
  /** Declared size; null for up to the maximum of its kind. */
  byteSize: number | null;
  /** Hexadecimal digest; null if it was not stated. */
  sha256: string | null;
  contentType: string;
  expiresAt: Date;
}

/** A file of a user or dealer. */
export interface MediaRecord extends RecordWithOutbox {
  _id: string;
  installationId: string;
  owner: OwnerRef;
  /** As declared until the bytes have been inspected. */
  kind: MediaKind;
  purpose: MediaPurpose;
  state: MediaState;
  /** Reason of the failure: a code of the registry or of `processing/`, and a sentence for the owner. */
  failure: { code: string; detail: string } | null;
  filename: string;
  /** As declared until processing has inspected the bytes. */
  contentType: string;
  /** As declared (0 if omitted) until the bytes have been counted. */
  byteSize: number;
  /** Hexadecimal digest of the original; null until it is uploaded. */
  sha256: string | null;
  /** Pixels of the upright image, after EXIF orientation and `rotation`. */
  width: number | null;
  height: number | null;
  /** Duration of a video; null for other files. */
  durationMs: number | null;
  altText: string | null;
  /** Focal point of a crop, as fractions (0 to 1) of width and height of the upright image. */
  focalPoint: { x: number; y: number } | null;
  /** Clockwise rotation in degrees, after the EXIF orientation. A change regenerates all renditions. */
  rotation: 0 | 90 | 180 | 270;
  blurHash: string | null;
  /** Color as `#rrggbb`. */
  dominantColor: string | null;
  renditions: StoredRendition[];
  /** Renditions that were started or replaced and whose bytes have to be deleted. */
  strays: Pick<StoredRendition, 'sha256' | 'format'>[];
  /** Whether the storage withholds these files; `updateDelivery` adjusts it to the state. */
  withheld: boolean;
  /** References to the file, stored by `setMediaUsage` in the transaction of the reference. */
  usage: MediaUse[];
  /** Open cases that prevent the deletion of the file, in addition to verifications. */
  legalHolds: { type: string; id: string }[];
  /** Null if no upload was needed, and after the temporary data of an upload is deleted. */
  upload: StoredUpload | null;
  /** Name of the original in the store, see `originalKey`. Several records of one owner may share it. */
  original: string | null;
  /** Names of originals whose upload for this record was started, so that partial uploads are found after a crash. */
  drafts: string[];
  block: { by: string; at: Date; reason: string | null } | null;
  /** Number of processing runs since the file entered that state. */
  attempts: number;
  /** Fencing token of the job run that processes the file. */
  fence: number;
  /** Start of the current state, by which overdue files are found. */
  stateAt: Date;
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

/** Fields that the creator of a file provides. */
type NewMedia = Pick<
  MediaRecord,
  '_id' | 'owner' | 'kind' | 'purpose' | 'state' | 'filename' | 'contentType' | 'byteSize' | 'createdAt'
> &
  Partial<MediaRecord>;

/** Returns a new file with default values. */
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
    // For existing bytes of an owner, and for files that a decision about bytes affects.
    .index({ installationId: 1, sha256: 1, 'owner.id': 1 })
    .index({ installationId: 1, original: 1 })
    .index({ installationId: 1, withheld: 1, state: 1, _id: 1 })
    .index({ installationId: 1, 'upload.expiresAt': 1 })
    .index({ installationId: 1, state: 1, stateAt: 1, _id: 1 })
    .plugin(outbox),
);
