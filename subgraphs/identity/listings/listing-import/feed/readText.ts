import { invalidField } from '../../../../platform/errors/AppError.ts';

const utf16Marks = [
  [0xff, 0xfe],
  [0xfe, 0xff],
];

/**
 * Yields the text of a feed as its bytes arrive: UTF-8, with or without a byte order mark. Other encodings are refused,
 * because a wrong encoding would change every title of the stock.
 *
 * @throws AppError `validation_failed`
 */
export async function* readText(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let position = 0;
  for await (const chunk of bytes) {
    if (position === 0) refuseUtf16(chunk);
    yield decode(decoder, chunk, position);
    position += chunk.length;
  }
  yield decode(decoder, null, position);
}

function decode(decoder: TextDecoder, chunk: Buffer | null, position: number): string {
  try {
    return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode();
  } catch {
    throw invalidField(
      '#',
      `The feed is not valid UTF-8 after byte ${position}. Save it as UTF-8 and send it again.`,
    );
  }
}

/** Refuses UTF-16, which has a byte order mark, or a zero in every second byte of its first letters. */
function refuseUtf16(chunk: Buffer): void {
  const isMarked = utf16Marks.some(([first, second]) => chunk[0] === first && chunk[1] === second);
  if (isMarked || chunk[0] === 0 || chunk[1] === 0)
    throw invalidField('#', 'The feed is UTF-16. Save it as UTF-8 and send it again.');
}
