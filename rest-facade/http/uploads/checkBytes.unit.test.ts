import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type ByteRules, checkBytes } from './checkBytes.ts';

const bytes = Buffer.from('what was declared');
const sha256 = createHash('sha256').update(bytes).digest('hex');
const exact: ByteRules = { byteSize: bytes.length, mostBytes: 100, sha256 };

/** Bytes behind the check, sent in pieces of some size. */
const pass = (sent: Buffer, rules: ByteRules, pieceSize: number) => {
  const pieces = Array.from({ length: Math.ceil(sent.length / pieceSize) }, (_, index) =>
    sent.subarray(index * pieceSize, (index + 1) * pieceSize),
  );
  return buffer(Readable.from(pieces).pipe(checkBytes(rules)));
};

test.each([1, 3, 1000])(
  'bytes that match their declaration pass unchanged in chunks of %d',
  async (pieceSize) => {
    expect(await pass(bytes, exact, pieceSize)).toEqual(bytes);
    expect(await pass(bytes, { byteSize: null, mostBytes: bytes.length, sha256: null }, pieceSize)).toEqual(
      bytes,
    );
    expect(await pass(Buffer.alloc(0), { byteSize: null, mostBytes: 1, sha256: null }, pieceSize)).toEqual(
      Buffer.alloc(0),
    );
  },
);

test.each<[string, Buffer, ByteRules, string]>([
  ['one byte less', bytes.subarray(1), exact, 'checksum_mismatch'],
  ['one byte more', Buffer.concat([bytes, Buffer.from('!')]), exact, 'checksum_mismatch'],
  ['another byte', Buffer.from('what was declarex'), exact, 'checksum_mismatch'],
  ['nothing', Buffer.alloc(0), exact, 'checksum_mismatch'],
  ['more than the kind allows', bytes, { ...exact, byteSize: null, mostBytes: 5 }, 'file_too_large'],
])('an upload of %s fails instead of ending as a whole file', async (_, sent, rules, code) => {
  for (const pieceSize of [1, 1000])
    await expect(pass(sent, rules, pieceSize)).rejects.toMatchObject({ code });
});

test('a failure before the first read is reported to the reader and does not end the process', async () => {
  const checked = checkBytes(exact);
  checked.destroy(new Error('The client has left.'));
  await new Promise((later) => setImmediate(later));
  await expect(buffer(checked)).rejects.toThrow('The client has left.');
});
