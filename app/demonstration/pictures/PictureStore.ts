import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { MediaModel, type MediaRecord, newMedia } from '../../../subgraphs/identity/media/model.ts';
import { IsolatedRenderer } from '../../../subgraphs/identity/media/processing/IsolatedRenderer.ts';
import type { RenderedImage } from '../../../subgraphs/identity/media/processing/renderImage.ts';
import { originalKey, renditionKey } from '../../../subgraphs/identity/media/storageKeys.ts';
import type { Platform } from '../../../subgraphs/platform/context/Platform.ts';
import { repeatableId } from '../../../subgraphs/platform/ids/newId.ts';
import { scoped } from '../../../subgraphs/platform/installation/scoped.ts';

/** A picture that was rendered from SVG, with its files. */
interface RenderedPicture {
  readonly file: string;
  readonly image: RenderedImage;
}

/** Record of a picture. The same id is stored once. */
export interface PictureRecord {
  readonly installationId: string;
  readonly _id: string;
  readonly owner: MediaRecord['owner'];
  readonly purpose: MediaRecord['purpose'];
  readonly filename: string;
  readonly altText: string;
}

/**
 * Renders drawings to JPEG, and stores them as files that were uploaded and processed. Equal drawings are rendered
 * once. Processes of a low priority render, so that requests are not delayed.
 */
export class PictureStore {
  readonly #platform: Platform;
  readonly #signal: AbortSignal;
  readonly #folder: string;
  readonly #renderer = new IsolatedRenderer({ processes: 1 });
  readonly #rendered = new Map<string, Promise<RenderedPicture>>();

  private constructor(platform: Platform, signal: AbortSignal, folder: string) {
    this.#platform = platform;
    this.#signal = signal;
    this.#folder = folder;
  }

  /** Runs a function with a store, and deletes the temporary files afterwards. */
  static async use<T>(
    platform: Platform,
    signal: AbortSignal,
    work: (store: PictureStore) => Promise<T>,
  ): Promise<T> {
    const folder = await mkdtemp(path.join(tmpdir(), 'trigate-pictures-'));
    const store = new PictureStore(platform, signal, folder);
    try {
      return await work(store);
    } finally {
      store.#renderer.close();
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** Stores a drawing (SVG) as a ready file. */
  async store(drawing: string, { installationId, ...record }: PictureRecord): Promise<void> {
    const media = scoped(MediaModel, installationId);
    if (await media.findOne({ _id: record._id })) return;
    const known = this.#rendered.get(drawing) ?? this.#render(drawing);
    this.#rendered.set(drawing, known);
    const { file, image } = await known;
    const { renditions: files, ...facts } = image;
    const place = { installationId, ...record };
    for (const rendition of new Map(files.map((one) => [one.sha256, one])).values())
      await this.#put(renditionKey(place, rendition), rendition.file, `image/${rendition.format}`);
    const contentType = 'image/jpeg';
    // Files of one owner with the same bytes share the original.
    const original = repeatableId('media', record.owner.id, drawing);
    const stored = await this.#put(originalKey(installationId, original), file, contentType);
    const renditions = files.map(({ file: _file, ...rendition }) => rendition);
    const createdAt = new Date(this.#platform.now());
    await media.insertAbsent([
      newMedia({
        ...record,
        ...facts,
        ...stored,
        renditions,
        kind: 'image',
        state: 'ready',
        contentType,
        original,
        createdAt,
      }),
    ]);
  }

  #put(key: string, file: string, contentType: string) {
    return this.#platform.storage.put(key, createReadStream(file), { contentType, signal: this.#signal });
  }

  async #render(drawing: string): Promise<RenderedPicture> {
    const folder = await mkdtemp(path.join(this.#folder, 'picture-'));
    const file = path.join(folder, 'original.jpeg');
    await sharp(Buffer.from(drawing)).jpeg({ quality: 90 }).toFile(file);
    const reply = await this.#renderer.render({ file, folder, rotation: 0 }, this.#signal);
    if (!('image' in reply) || !reply.image)
      throw new Error(`A picture of the demonstration was refused: ${JSON.stringify(reply)}.`);
    return { file, image: reply.image };
  }
}
