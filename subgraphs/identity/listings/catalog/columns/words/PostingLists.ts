import { Arena } from './Arena.ts';
import { PostingReader } from './PostingReader.ts';

/** A mark and the address of the next slice. */
const linkBytes = 5;
const firstSlice = 16;
const largestSlice = 4096;

/**
 * Postings lists: for each word, the texts that contain it, in ascending order of their numbers. A list stores
 * differences with seven bits in a byte. It consists of slices, each twice as large as the one before, that end with
 * the address of the next one. Appending copies nothing, and an entry takes one to three bytes.
 */
export class PostingLists {
  readonly #arena = new Arena();
  #capacity = 64;
  #first = new Uint32Array(this.#capacity);
  /** Address of the next entry of a list, and end of its last slice. */
  #at = new Uint32Array(this.#capacity);
  #end = new Uint32Array(this.#capacity);
  #last = new Uint32Array(this.#capacity);
  /** Bytes of the last slice. */
  #size = new Uint32Array(this.#capacity);
  #length = 0;

  /** Number of bytes for entries. */
  get bytes(): number {
    return this.#arena.bytes;
  }

  /** Creates an empty list and returns its number. */
  open(): number {
    const list = this.#length++;
    if (list >= this.#capacity) this.#grow();
    this.#first[list] = this.#claim(list, firstSlice);
    return list;
  }

  /**
   * Appends an entry to a list.
   *
   * @param text greater than every number in the list, below 2^29
   * @param fields with the word, a non-empty set of three bits
   */
  append(list: number, text: number, fields: number): void {
    let number = (((text - (this.#last[list] as number)) << 3) | fields) >>> 0;
    this.#makeRoom(list, bytesOf(number));
    const at = this.#at[list] as number;
    const bytes = this.#arena.blockOf(at);
    let offset = this.#arena.offsetOf(at);
    this.#at[list] = at + bytesOf(number);
    this.#last[list] = text;
    while (number > 127) {
      bytes[offset++] = (number & 127) | 128;
      number >>>= 7;
    }
    bytes[offset] = number;
  }

  /** Starts to read the current entries of a list, without later additions. */
  read(list: number): PostingReader {
    return new PostingReader(this.#arena, this.#first[list] as number, this.#at[list] as number);
  }

  /** Ensures space for an entry, which is never split over slices. */
  #makeRoom(list: number, bytes: number): void {
    const at = this.#at[list] as number;
    if (at + bytes + linkBytes <= (this.#end[list] as number)) return;
    const next = this.#claim(list, Math.min((this.#size[list] as number) * 2, largestSlice));
    // Marks a link. No entry starts with this byte, because its fields are not empty.
    this.#arena.blockOf(at)[this.#arena.offsetOf(at)] = 0;
    this.#arena.writeAddress(at + 1, next);
  }

  #claim(list: number, size: number): number {
    const address = this.#arena.claim(size);
    this.#at[list] = address;
    this.#end[list] = address + size;
    this.#size[list] = size;
    return address;
  }

  #grow(): void {
    this.#capacity *= 2;
    this.#first = this.#grown(this.#first);
    this.#at = this.#grown(this.#at);
    this.#end = this.#grown(this.#end);
    this.#last = this.#grown(this.#last);
    this.#size = this.#grown(this.#size);
  }

  #grown(values: Uint32Array): Uint32Array<ArrayBuffer> {
    const grown = new Uint32Array(this.#capacity);
    grown.set(values);
    return grown;
  }
}

/** Returns the number of bytes that a number needs, at seven bits each. */
function bytesOf(number: number): number {
  if (number < 1 << 7) return 1;
  if (number < 1 << 14) return 2;
  if (number < 1 << 21) return 3;
  return number < 1 << 28 ? 4 : 5;
}
