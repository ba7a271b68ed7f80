import { publicFileKey, publicFileName } from '../../platform/storage/publicFile.ts';
import { storageKey } from '../../platform/storage/storageKey.ts';
import type { MediaPurpose, MediaRecord, StoredRendition } from './model.ts';

/**
 * Returns the key under which the bytes of a declared file arrive. Every holder of the upload link may write there
 * repeatedly.
 */
export function uploadKey({ installationId, _id }: Pick<MediaRecord, 'installationId' | '_id'>): string {
  return storageKey(installationId, 'uploads', _id);
}

/**
 * Returns the key of an original. Only the completion of an upload writes it, once, so the hashed bytes do not change.
 *
 * @param name `original` of a record, or one of its `drafts`
 */
export function originalKey(installationId: string, name: string): string {
  return storageKey(installationId, 'media', name);
}

/** Purposes with public renditions. */
export const publicPurposes: readonly MediaPurpose[] = ['listing', 'avatar', 'logo'];

/**
 * Returns the key of a rendition. Public renditions are served by name, others by signed links. It belongs to one
 * record, so its deletion affects no other record.
 */
export function renditionKey(
  { installationId, _id, purpose }: Pick<MediaRecord, 'installationId' | '_id' | 'purpose'>,
  { sha256, format }: Pick<StoredRendition, 'sha256' | 'format'>,
): string {
  return publicPurposes.includes(purpose)
    ? publicFileKey(installationId, { recordId: _id, sha256, format })
    : storageKey(installationId, 'renditions', `${_id}-${sha256}-${format}`);
}

/** Returns the path of a public rendition, relative to the installation's URL. The path and its bytes never change. */
export function renditionPath(
  { _id }: Pick<MediaRecord, '_id'>,
  { sha256, format }: Pick<StoredRendition, 'sha256' | 'format'>,
): string {
  return `/api/v1/files/${publicFileName({ recordId: _id, sha256, format })}`;
}
