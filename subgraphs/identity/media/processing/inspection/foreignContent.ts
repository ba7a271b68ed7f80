import { UnfitBytes } from '../MediaFailure.ts';

/** First bytes of content that does not belong in an image or document; text in lower case. */
const markup = ['<html', '<script', '<svg', '<!doctype', '<iframe', '<?php', '<body'];
const archives = [
  Buffer.from('Rar!\x1a\x07', 'latin1'),
  Buffer.from("7z\xbc\xaf'\x1c", 'latin1'),
  Buffer.from('%PDF-', 'latin1'),
];
/** First bytes of programs: ELF, Windows, and scripts. */
const programs = [Buffer.from('\x7fELF', 'latin1'), Buffer.from('MZ', 'latin1'), Buffer.from('#!', 'latin1')];

/** End record of a ZIP archive, and the maximum length of its comment (APPNOTE 4.3.16). */
const zipEnd = Buffer.from('PK\x05\x06', 'latin1');
const zipEndSize = 22;
const longestZipComment = 65_535;

/**
 * Refuses hidden content in the parts of a file that decoders ignore: metadata, unknown chunks, and bytes after the
 * end. Another program could find a page, a script or an archive in it.
 *
 * @param parts of one file, without pixels, because compressed bytes can look like anything
 * @throws UnfitBytes `foreign_content`
 */
export function assertNoForeignContent(parts: readonly Buffer[]): void {
  for (const part of parts) {
    const text = part.toString('latin1').toLowerCase();
    if (markup.some((start) => text.includes(start))) throw foreign();
    if (archives.some((start) => part.includes(start))) throw foreign();
    if (findZipEnd(part, { exact: false })) throw foreign();
  }
}

/**
 * Refuses a program or archive after the end of a file. Phones append depth maps, short videos and zeros there, so
 * other bytes are accepted.
 *
 * @throws UnfitBytes `foreign_content`
 */
export function assertHarmlessTail(tail: Buffer): void {
  if (programs.some((start) => tail.subarray(0, start.length).equals(start))) throw foreign();
  assertNoForeignContent([tail]);
}

/**
 * Refuses a file that a strict ZIP reader would open, because it ends like an archive.
 *
 * @throws UnfitBytes `foreign_content`
 */
export function assertNoArchive(bytes: Buffer): void {
  const tail = bytes.subarray(Math.max(0, bytes.length - zipEndSize - longestZipComment));
  if (findZipEnd(tail, { exact: true })) throw foreign();
}

/**
 * Returns the position of the end record of a ZIP archive.
 *
 * @param exact requires that the comment ends where the bytes end
 */
function findZipEnd(bytes: Buffer, { exact }: { exact: boolean }): boolean {
  for (let at = bytes.indexOf(zipEnd); at >= 0; at = bytes.indexOf(zipEnd, at + 1)) {
    if (at + zipEndSize > bytes.length) return false;
    const commentSize = bytes.readUInt16LE(at + 20);
    const isEnd = at + zipEndSize + commentSize === bytes.length;
    const isOneDisk = bytes.readUInt16LE(at + 4) === bytes.readUInt16LE(at + 6);
    const hasSize = bytes.readUInt32LE(at + 12) >= 46 && bytes.readUInt16LE(at + 10) > 0;
    if (exact ? isEnd : isOneDisk && hasSize) return true;
  }
  return false;
}

function foreign(): UnfitBytes {
  return new UnfitBytes(
    'foreign_content',
    'The file contains an embedded archive, web page or program. Save the image or document again without it.',
  );
}
