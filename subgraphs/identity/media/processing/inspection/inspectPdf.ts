import { damaged, truncated, UnfitBytes } from '../MediaFailure.ts';
import { assertHarmlessTail, assertNoForeignContent } from './foreignContent.ts';

/** Maximum distance of the end marker from the end of the file, in bytes. */
const endWindow = 1024;
const endMark = '%%EOF';
/** Number of first bytes in which readers search for a header, and so for a foreign one. */
const headWindow = 1024;

/** Actions that run a program. Any character of a name may be encoded as a number (ISO 32000-2, 7.3.5). */
const activeNames: ReadonlySet<string> = new Set(['JavaScript', 'JS', 'Launch']);

/**
 * Checks that a PDF has a valid beginning, end and index, and that no visible action runs when it is opened (ISO
 * 32000-2, 7.5).
 *
 * @throws UnfitBytes otherwise
 */
export function inspectPdf(bytes: Buffer): void {
  if (!/^%PDF-[12]\.\d[\s%]/.test(bytes.toString('latin1', 0, 9))) throw damaged('document');
  const text = bytes.toString('latin1');
  const end = text.lastIndexOf(endMark);
  if (end < Math.max(0, text.length - endWindow)) throw truncated('document');
  assertIndex(text, end);
  assertNoForeignContent([bytes.subarray(0, headWindow).subarray('%PDF-'.length)]);
  assertHarmlessTail(bytes.subarray(end + endMark.length));
  assertPassive(text);
}

/** Checks that the offset before the end points to a table or an object with the index. */
function assertIndex(text: string, end: number): void {
  const found = /startxref\s{1,10}(\d{1,10})\s{1,10}$/.exec(text.slice(Math.max(0, end - 100), end));
  if (!found) throw damaged('document');
  const target = text.slice(Number(found[1]), Number(found[1]) + 40);
  if (!/^\s*(?:xref\s|\d+\s+\d+\s+obj)/.test(target) || !text.includes('/Root')) throw damaged('document');
}

/**
 * Checks that the document has no active content. Streams are skipped, because compressed bytes can contain any text.
 */
function assertPassive(text: string): void {
  for (const part of outsideOfStreams(text)) {
    for (const [name] of part.matchAll(/\/[A-Za-z#][A-Za-z0-9#]{1,40}/g)) {
      if (!activeNames.has(unescapeName(name.slice(1)))) continue;
      throw new UnfitBytes(
        'active_content',
        'The document runs a script when it is opened. Print it to a new PDF and upload that.',
      );
    }
  }
}

function* outsideOfStreams(text: string): Generator<string> {
  const begin = /\bstream\r?\n/g;
  for (let at = 0; at < text.length; ) {
    begin.lastIndex = at;
    const stream = begin.exec(text);
    yield text.slice(at, stream?.index);
    const end = stream ? text.indexOf('endstream', begin.lastIndex) : -1;
    if (end < 0) return;
    at = end + 'endstream'.length;
  }
}

function unescapeName(name: string): string {
  return name.replace(/#([0-9a-f]{2})/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}
