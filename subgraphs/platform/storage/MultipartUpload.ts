import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { bodyOf } from './bodyOf.ts';

/** Uploads of a process that was killed are given up when they are older than any upload takes. */
const draftLifeMs = 24 * 3600 * 1000;

interface Target {
  Bucket: string;
  Key: string;
  ContentType: string;
}

/** An object that is written in parts; nobody sees it before it is complete. */
export class MultipartUpload {
  readonly #client: S3Client;
  readonly #target: Target;
  readonly #parts: CompletedPart[] = [];
  #id: string | undefined;

  constructor(client: S3Client, target: Target) {
    this.#client = client;
    this.#target = target;
  }

  get isBegun(): boolean {
    return this.#id !== undefined;
  }

  /** Parts come one after the other, in their order. */
  async add(bytes: Buffer): Promise<void> {
    if (this.#id === undefined) {
      const { UploadId } = await this.#client.send(new CreateMultipartUploadCommand(this.#target));
      this.#id = UploadId;
    }
    const PartNumber = this.#parts.length + 1;
    const { ETag } = await this.#client.send(
      new UploadPartCommand({ ...this.#place, PartNumber, ...bodyOf(bytes) }),
    );
    this.#parts.push({ PartNumber, ETag });
  }

  /**
   * The answer to a completion may be lost, and its repetition finds no upload any more: then the object tells.
   *
   * @param byteSize of all parts
   */
  async complete(byteSize: number): Promise<void> {
    const { Bucket, Key } = this.#target;
    try {
      await this.#client.send(
        new CompleteMultipartUploadCommand({ ...this.#place, MultipartUpload: { Parts: this.#parts } }),
      );
    } catch (error) {
      if ((error as Error).name !== 'NoSuchUpload') throw error;
      const { ContentLength, ETag } = await this.#client.send(new HeadObjectCommand({ Bucket, Key }));
      // The tag of such an object ends with the number of its parts.
      if (ContentLength !== byteSize || !ETag?.includes(`-${this.#parts.length}`)) throw error;
    }
    this.#id = undefined;
  }

  /** Best effort: what is left is given up a day later. */
  async abort(): Promise<void> {
    if (this.#id === undefined) return;
    await this.#client.send(new AbortMultipartUploadCommand(this.#place)).catch(() => undefined);
    this.#id = undefined;
  }

  get #place() {
    const { Bucket, Key } = this.#target;
    return { Bucket, Key, UploadId: this.#id };
  }
}

/** Who may not list uploads needs a rule of the bucket that does this; it is no reason not to write. */
export async function abandonOldUploads(client: S3Client, Bucket: string): Promise<void> {
  try {
    const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket, MaxUploads: 100 }));
    for (const { Key, UploadId, Initiated } of Uploads) {
      if (Initiated && Date.now() - Initiated.getTime() > draftLifeMs)
        await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
    }
  } catch {
    return;
  }
}
