import fc from 'fast-check';
import { FrameReader, type Framing, FramingError } from './FrameReader.ts';

const framing: Framing = {
  headerBytes: 4,
  maxFrameBytes: 1_000,
  frameLength: (bytes, offset) => bytes.readInt32LE(offset),
};

function frameOf(content: Uint8Array): Buffer {
  const frame = Buffer.alloc(4 + content.length);
  frame.writeInt32LE(frame.length);
  frame.set(content, 4);
  return frame;
}

test('the reader returns frames whole and in order, however the stream is cut', () => {
  const contents = fc.array(fc.uint8Array({ maxLength: 60 }), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(contents, fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }), (parts, cuts) => {
      const frames = parts.map(frameOf);
      const stream = Buffer.concat(frames);
      const received: Buffer[] = [];
      const reader = new FrameReader(framing, (frame) => received.push(frame));
      for (let position = 0, turn = 0; position < stream.length; turn++) {
        const end = position + (cuts[turn % cuts.length] ?? 1);
        reader.push(stream.subarray(position, end));
        position = end;
      }
      expect(received.map(String)).toEqual(frames.map(String));
    }),
  );
});

test.each([
  ['longer than allowed', 1_001],
  ['shorter than its header', 3],
  ['of negative length', -1],
])('refuses a frame %s', (_what, length) => {
  const bytes = Buffer.alloc(8);
  bytes.writeInt32LE(length);
  expect(() => new FrameReader(framing, () => {}).push(bytes)).toThrow(FramingError);
});
