import { readFileToken } from '../../../subgraphs/platform/storage/fileToken.ts';
import {
  isWithheld,
  publicFileKey,
  readPublicFileName,
} from '../../../subgraphs/platform/storage/publicFile.ts';
import type { Headers } from '../Exchange.ts';
import type { FileSource } from '../FileSource.ts';
import { toAttachment } from './toAttachment.ts';

/** A file that every client that knows its name may read. */
export interface Delivery {
  readonly key: string;
  /** Entity tag; null for a file whose bytes may change. */
  readonly etag: string | null;
  readonly headers: Headers;
}

/** Headers of every file. */
const guarded: Headers = {
  'Accept-Ranges': 'bytes',
  'X-Content-Type-Options': 'nosniff',
  // Prevents a browser that displays the file from executing anything.
  'Content-Security-Policy': "default-src 'none'; sandbox",
};

/** Returns the file of a name in this installation, null also while the files of its record are withheld. */
export async function findDelivery(
  source: FileSource,
  token: string,
  installationId: string,
): Promise<Delivery | null> {
  const found = findPublic(token, installationId) ?? findPrivate(source, token, installationId);
  if (!found) return null;
  const { recordId, ...delivery } = found;
  const isHeld = recordId !== undefined && (await isWithheld(source.storage, installationId, recordId));
  return isHeld ? null : delivery;
}

interface Found extends Delivery {
  /** The record that decides whether it is delivered. */
  readonly recordId?: string | undefined;
}

/** Finds a public file. Bytes that are named by their digest never change, so every cache may keep them permanently. */
function findPublic(token: string, installationId: string): Found | null {
  const file = readPublicFileName(token);
  if (!file) return null;
  const etag = `"${file.sha256}"`;
  return {
    recordId: file.recordId,
    key: publicFileKey(installationId, file),
    etag,
    headers: {
      ...guarded,
      'Content-Type': `image/${file.format}`,
      'Content-Disposition': `inline; filename="${token}"`,
      'Cache-Control': 'public, max-age=31536000, immutable',
      'Cross-Origin-Resource-Policy': 'cross-origin',
      ETag: etag,
    },
  };
}

function findPrivate({ secret, now }: FileSource, token: string, installationId: string): Found | null {
  const grant = readFileToken(secret, token, now());
  if (!grant || grant.installationId !== installationId) return null;
  return {
    recordId: grant.recordId,
    key: grant.key,
    etag: null,
    headers: {
      ...guarded,
      'Content-Type': grant.contentType,
      'Content-Disposition': toAttachment(grant.filename),
      'Cache-Control': 'private, no-store',
    },
  };
}
