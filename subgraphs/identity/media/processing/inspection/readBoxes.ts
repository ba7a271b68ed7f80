import { damaged, truncated } from '../MediaFailure.ts';

/** A box of a file of the ISO base media format (ISO/IEC 14496-12, 4.2). */
export interface Box {
  type: string;
  /** Offset of the content in the bytes that it was read from; `end` is exclusive. */
  start: number;
  end: number;
}

/** Maximum number of sibling boxes. Cameras and encoders write fewer. */
const mostBoxes = 20_000;

/**
 * Returns the sibling boxes in a part of the bytes.
 *
 * @throws UnfitBytes if a box exceeds the part
 */
export function readBoxes(bytes: Buffer, from = 0, to = bytes.length): Box[] {
  const boxes: Box[] = [];
  for (let at = from; at < to; ) {
    if (at + 8 > to || boxes.length === mostBoxes) throw damaged('file');
    const box = readBoxHead(bytes.subarray(at, Math.min(at + 16, to)), at, to);
    if (box.end > to) throw truncated('file');
    boxes.push(box);
    at = box.end;
  }
  return boxes;
}

/**
 * Parses the header of a box.
 *
 * @param head 16 bytes, or 8 at the end of the file
 * @param at position of the header
 * @param to end of a box without a length
 */
export function readBoxHead(head: Buffer, at: number, to: number): Box {
  if (head.length < 8) throw truncated('file');
  const type = head.toString('latin1', 4, 8);
  if (!/^[\x20-\x7e\xa9]{4}$/.test(type)) throw damaged('file');
  const length = head.readUInt32BE(0);
  if (length === 0) return { type, start: at + 8, end: to };
  if (length !== 1) {
    if (length < 8) throw damaged('file');
    return { type, start: at + 8, end: at + length };
  }
  if (head.length < 16) throw truncated('file');
  const long = head.readBigUInt64BE(8);
  if (long < 16n || long > BigInt(Number.MAX_SAFE_INTEGER)) throw damaged('file');
  return { type, start: at + 16, end: at + Number(long) };
}
