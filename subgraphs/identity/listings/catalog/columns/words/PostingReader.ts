import type { Arena } from './Arena.ts';

/** Reads a list of `PostingLists` from its start, part by part. */
export class PostingReader {
  readonly #arena: Arena;
  #at: number;
  readonly #end: number;
  #text = 0;

  constructor(arena: Arena, at: number, end: number) {
    this.#arena = arena;
    this.#at = at;
    this.#end = end;
  }

  /** Writes the next entries, `text << 3 | fields` each, and returns their number; 0 at the end. */
  read(entries: Uint32Array): number {
    const arena = this.#arena;
    const end = this.#end;
    let at = this.#at;
    let text = this.#text;
    let bytes = arena.blockOf(at);
    let offset = arena.offsetOf(at);
    let count = 0;
    while (count < entries.length && at !== end) {
      const begun = offset;
      let byte = bytes[offset++] as number;
      if (byte === 0) {
        at = arena.readAddress(at + 1);
        bytes = arena.blockOf(at);
        offset = arena.offsetOf(at);
        continue;
      }
      let number = byte & 127;
      for (let shift = 7; byte > 127; shift += 7) {
        byte = bytes[offset++] as number;
        number |= (byte & 127) << shift;
      }
      at += offset - begun;
      text += number >>> 3;
      entries[count++] = (text << 3) | (number & 7);
    }
    this.#at = at;
    this.#text = text;
    return count;
  }
}
