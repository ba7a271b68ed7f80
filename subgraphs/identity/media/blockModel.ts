import { Schema } from 'mongoose';
import { defineModel } from '../../platform/mongo/defineModel.ts';

/** Bytes that are blocked for every uploader of the installation. */
export interface MediaBlockRecord {
  /** `<installation>:<sha256>` */
  _id: string;
  installationId: string;
  sha256: string;
  /** The file that was blocked; other files with these bytes are blocked as well. */
  mediaId: string;
  by: string;
  reason: string | null;
  at: Date;
  /** False until every file with these bytes is blocked and its renditions are deleted. */
  settled: boolean;
}

export const MediaBlockModel = defineModel<MediaBlockRecord>(
  'media_blocks',
  new Schema<MediaBlockRecord>({
    _id: String,
    sha256: { type: String, required: true },
    mediaId: { type: String, required: true },
    by: { type: String, required: true },
    reason: { type: String, default: null },
    at: { type: Date, required: true },
    settled: { type: Boolean, required: true },
  }).index({ installationId: 1, settled: 1, _id: 1 }),
);

/** Failure of a file whose content is blocked. */
export const blockedContent = {
  code: 'content_blocked',
  detail: 'A moderator has blocked this file, so it cannot be used.',
};

/** Returns the id of the record for blocked bytes. */
export function blockId(installationId: string, sha256: string): string {
  return `${installationId}:${sha256}`;
}
