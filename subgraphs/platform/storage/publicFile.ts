import type { Storage } from './Storage.ts';
import { storageKey } from './storageKey.ts';

/** A file that everybody may have who knows its name. Its bytes never change: other bytes have another name. */
export interface PublicFile {
  /** The record that shows it, as in `med_…`. */
  recordId: string;
  /** Of the bytes, hexadecimal. */
  sha256: string;
  format: 'webp' | 'jpeg';
}

const endings = { webp: 'webp', jpeg: 'jpg' } as const;
const namePattern = /^([a-z]{3}_\w{1,40})-([0-9a-f]{64})\.(webp|jpg)$/;

/** Last segment of the address `/api/v1/files/…`: the record, the hash of the content, and its format. */
export function publicFileName({ recordId, sha256, format }: PublicFile): string {
  return `${recordId}-${sha256}.${endings[format]}`;
}

/** What such a name stands for; null for any other text. */
export function readPublicFileName(name: string): PublicFile | null {
  const [, recordId, sha256, ending] = namePattern.exec(name) ?? [];
  if (recordId === undefined || sha256 === undefined) return null;
  return { recordId, sha256, format: ending === 'webp' ? 'webp' : 'jpeg' };
}

/** Where its bytes are. Nothing but public files is stored there. */
export function publicFileKey(installationId: string, { recordId, sha256, format }: PublicFile): string {
  return storageKey(installationId, 'public', `${recordId}-${sha256}-${format}`);
}

/**
 * Whether files of a record are delivered. A mark in the store withholds them, so it takes effect for every link at
 * once, also for those issued before, and the delivery needs no other lookup.
 */
export function isWithheld(storage: Storage, installationId: string, recordId: string): Promise<boolean> {
  return storage.exists(withheldKey(installationId, recordId));
}

/** Key of the mark; its bytes do not matter. */
export function withheldKey(installationId: string, recordId: string): string {
  return storageKey(installationId, 'withheld', recordId);
}
