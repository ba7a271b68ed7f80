import type { Storage } from './Storage.ts';
import { storageKey } from './storageKey.ts';

/** A file that everybody may have who knows its name. Its bytes never change: other bytes have another name. */
export interface PublicFile {
  /** The record that shows it, as in `med_…`. */
  recordId: string;
  /** Hexadecimal digest of the bytes. */
  sha256: string;
  format: 'webp' | 'jpeg';
}

const endings = { webp: 'webp', jpeg: 'jpg' } as const;
const namePattern = /^([a-z]{3}_\w{1,40})-([0-9a-f]{64})\.(webp|jpg)$/;

/** Returns the last segment of the URL `/api/v1/files/…`: the record, the digest of the content, and its format. */
export function publicFileName({ recordId, sha256, format }: PublicFile): string {
  return `${recordId}-${sha256}.${endings[format]}`;
}

/** Parses such a name; null for any other text. */
export function readPublicFileName(name: string): PublicFile | null {
  const [, recordId, sha256, ending] = namePattern.exec(name) ?? [];
  if (recordId === undefined || sha256 === undefined) return null;
  return { recordId, sha256, format: ending === 'webp' ? 'webp' : 'jpeg' };
}

/** Returns the key of its bytes. Only public files are stored there. */
export function publicFileKey(installationId: string, { recordId, sha256, format }: PublicFile): string {
  return storageKey(installationId, 'public', `${recordId}-${sha256}-${format}`);
}

/**
 * Returns whether delivery of a record's files is blocked. A marker in the store blocks it, so it applies immediately
 * to all links, including issued ones, and needs no other lookup.
 */
export function isWithheld(storage: Storage, installationId: string, recordId: string): Promise<boolean> {
  return storage.exists(withheldKey(installationId, recordId));
}

/** Returns the key of the marker; its content does not matter. */
export function withheldKey(installationId: string, recordId: string): string {
  return storageKey(installationId, 'withheld', recordId);
}
