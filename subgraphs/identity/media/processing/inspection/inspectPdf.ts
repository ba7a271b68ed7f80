import { damaged, truncated, UnfitBytes } from '../MediaFailure.ts';
import { assertHarmlessTail, assertNoForeignContent } from './foreignContent.ts';

/** How far from the end the mark of the end may lie. */
const endWindow = 1024;
const endMark = '%%EOF';
/** Where readers look for the beginning, and so for a foreign one. */
const headWindow = 1024;

/** Actions that run a program; a name may spell any of its characters as a number (ISO 32000-2, 7.3.5). */
const activeNames: ReadonlySet<string> = new Set(['JavaScript', 'JS', 'Launch']);

/**
 * Checks that a PDF begins and ends as one, that its index is where it says, and that nothing in plain sight runs when
 * it is opened (ISO 32000-2, 7.5).
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

/** The number in front of the end leads to a table or an object with the index. */
function assertIndex(text: string, end: number): void {
  const found = /startxref\s{1,10}(\d{1,10})\s{1,10}$/.exec(text.slice(Math.max(0, end - 100), end));
  if (!found) throw damaged('document');
  const target = text.slice(Number(found[1]), Number(found[1]) + 40);
  if (!/^\s*(?:xref\s|\d+\s+\d+\s+obj)/.test(target) || !text.includes('/Root')) throw damaged('document');
}

/** Streams are left out: compressed bytes can spell anything. */
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
