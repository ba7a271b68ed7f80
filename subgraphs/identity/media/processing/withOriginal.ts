import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Storage } from '../../../platform/storage/Storage.ts';
import { dayMs } from '../../../platform/time/durations.ts';

/** Age after which the folder of a killed process is removed; longer than any processing takes. */
const folderLifeMs = dayMs;
const prefix = 'trigate-render-';

let swept: Promise<void> | undefined;

/** Original as a local file, with a folder for its renditions. */
export interface LocalOriginal {
  file: string;
  /** An empty folder. */
  folder: string;
}

/**
 * Copies an original from the store to a local file while it is processed. Decoders read files, and no process needs to
 * hold it in memory.
 *
 * @throws Error if the original is missing
 */
export async function withOriginal<T>(
  storage: Storage,
  key: string,
  signal: AbortSignal,
  work: (original: LocalOriginal) => Promise<T>,
): Promise<T> {
  await (swept ??= sweep());
  const place = await mkdtemp(path.join(tmpdir(), prefix));
  try {
    const opened = await storage.open(key);
    if (!opened) throw new Error('The original of the file no longer exists.');
    const original = { file: path.join(place, 'original'), folder: path.join(place, 'made') };
    await pipeline(opened.stream, createWriteStream(original.file, { mode: 0o600 }), { signal });
    await mkdir(original.folder);
    return await work(original);
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

async function sweep(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(prefix)) continue;
    const folder = path.join(tmpdir(), name);
    const found = await stat(folder).catch(() => null);
    if (found && Date.now() - found.mtimeMs > folderLifeMs)
      // The folder may belong to another user of a shared machine and stays then.
      await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}
