import { open } from 'node:fs/promises';
import sharp from 'sharp';
import { sourceOfFile } from './inspection/ByteSource.ts';
import { type InspectionResult, inspectBytes } from './inspection/inspectBytes.ts';
import type { MediaFailure } from './MediaFailure.ts';
import { type RenderedImage, type RenderTask, renderImage } from './renderImage.ts';

/** Response of the process to a task. */
export type RenderReply =
  | { inspection: Exclude<InspectionResult, { failure: MediaFailure }>; image: RenderedImage | null }
  | { failure: MediaFailure }
  | { error: string };

/** Memory limit in bytes. Decoding 50 megapixels with 16 bits per channel takes half of it. */
const mostMemory = 1024 ** 3;
const outOfMemory = 71;

/**
 * The process in which uploaded bytes are decoded. A fault in a native decoder can crash the process or exhaust its
 * memory; here it affects only one file. The process has a low priority, renders one image with one thread, and
 * ends with its parent.
 */
sharp.concurrency(1);
sharp.cache(false);
setInterval(() => {
  if (process.memoryUsage.rss() > mostMemory) process.exit(outOfMemory);
}, 100).unref();

process.on('disconnect', () => process.exit(0));
process.on('message', (task: RenderTask) => {
  void work(task).then((reply) => process.send?.(reply));
});

async function work(task: RenderTask): Promise<RenderReply> {
  try {
    const inspection = await inspectFile(task.file);
    if ('failure' in inspection) return inspection;
    return { inspection, image: inspection.kind === 'image' ? await renderImage(task) : null };
  } catch (error) {
    return readError(error as NodeJS.ErrnoException);
  }
}

async function inspectFile(file: string): Promise<InspectionResult> {
  const handle = await open(file, 'r');
  try {
    const { size } = await handle.stat();
    return await inspectBytes(sourceOfFile(handle, size));
  } finally {
    await handle.close();
  }
}

/** Classifies an error. A disk failure is not caused by the file; every other decoder failure is. */
function readError({ code, message }: NodeJS.ErrnoException): RenderReply {
  if (code !== undefined) return { error: code };
  if (message.includes('pixel limit'))
    return { failure: { code: 'image_too_large', detail: 'The image has more than 50 megapixels.' } };
  return {
    failure: {
      code: 'file_damaged',
      detail:
        'The image cannot be decoded. Open it in an image editor, save it again and upload the new file.',
    },
  };
}
