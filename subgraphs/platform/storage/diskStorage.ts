import { createHash, randomBytes } from 'node:crypto';
import { access, mkdir, open as openFile, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { dayMs } from '../time/durations.ts';
import { measureBytes } from './measureBytes.ts';
import type { Storage } from './Storage.ts';
import { assertStorageKey } from './storageKey.ts';

/** Age after which temporary files of a killed process are removed; longer than any upload takes. */
const draftLifeMs = dayMs;

/**
 * Returns a storage in a local folder, for a product in one process, or processes with a shared file system. File names
 * are hashes of the keys.
 *
 * @param folder created with the first file; only this storage writes in it
 */
export function createDiskStorage(folder: string): Storage {
  const drafts = path.join(folder, 'drafts');
  const pathOf = (key: string): string => {
    const [installationId = '', area = ''] = assertStorageKey(key).split('/');
    const name = createHash('sha256').update(key).digest('hex');
    return path.join(folder, installationId, area, name.slice(0, 2), name);
  };
  let swept: Promise<void> | undefined;
  return {
    async put(key, bytes, { signal }) {
      const target = pathOf(key);
      const draft = path.join(drafts, randomBytes(16).toString('hex'));
      await mkdir(drafts, { recursive: true });
      await (swept ??= sweep(drafts));
      const { chunks, result } = measureBytes(bytes, signal);
      try {
        await write(draft, chunks);
        await mkdir(path.dirname(target), { recursive: true });
        await rename(draft, target);
      } catch (error) {
        await rm(draft, { force: true });
        throw error;
      }
      await syncFolders(path.dirname(target), folder);
      return result();
    },
    async open(key, range) {
      const file = await openFile(pathOf(key), 'r').catch(nullIfMissing);
      if (!file) return null;
      try {
        const { size: byteSize } = await file.stat();
        return { byteSize, stream: file.createReadStream(range ?? {}) };
      } catch (error) {
        await file.close();
        throw error;
      }
    },
    async delete(key) {
      await rm(pathOf(key), { force: true });
    },
    async exists(key) {
      return access(pathOf(key)).then(
        () => true,
        (error: unknown) => nullIfMissing(error) !== null,
      );
    },
  };
}

/** Writes and syncs the bytes before the name is created. */
async function write(draft: string, chunks: AsyncIterable<Buffer>): Promise<void> {
  const file = await openFile(draft, 'wx', 0o600);
  try {
    await file.writeFile(chunks);
    await file.sync();
  } finally {
    await file.close();
  }
}

function nullIfMissing(error: unknown): null {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
  throw error;
}

/** Syncs every folder on the path, after which a new name is durable. */
async function syncFolders(from: string, to: string): Promise<void> {
  for (let folder = from; folder.startsWith(to); folder = path.dirname(folder)) {
    const handle = await openFile(folder, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  }
}

async function sweep(drafts: string): Promise<void> {
  for (const name of await readdir(drafts)) {
    const draft = path.join(drafts, name);
    const found = await stat(draft).catch(nullIfMissing);
    if (found && Date.now() - found.mtimeMs > draftLifeMs) await rm(draft, { force: true });
  }
}
