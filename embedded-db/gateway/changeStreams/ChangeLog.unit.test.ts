import { encode } from '../wire/bson.ts';
import { ChangeLog } from './ChangeLog.ts';
import { isPosition, positionBefore, positionOf } from './position.ts';
import type { Change } from './ReplicationSource.ts';
import { describeUpdate, toChangeEvent } from './toChangeEvent.ts';

const startMs = 1_700_000_000_000;

function change(place: number, bytes = 10): Change {
  return {
    kind: 'insert',
    tableNumber: '1',
    database: 'd',
    collection: 'c',
    position: positionOf(BigInt(place), 0),
    committedAtMs: startMs + place * 1000,
    after: Buffer.alloc(bytes),
  };
}

const placesAfter = (log: ChangeLog, position: string) =>
  [...log.after(position)].map(({ position }) => position);

test('positions sort as text in log order and are recognised by their format', () => {
  const inOrder = [
    positionOf(1n, 0),
    positionOf(1n, 1),
    positionBefore('0/3'),
    positionOf(3n, 0),
    positionBefore('1/0'),
  ];
  expect([...inOrder].sort()).toEqual(inOrder);
  expect([...inOrder, 'x', '', undefined, '1'.repeat(23)].map(isPosition)).toEqual([
    ...Array(5).fill(true),
    ...Array(4).fill(false),
  ]);
});

test('the log continues after a position, whether or not a change is stored at it', () => {
  const log = new ChangeLog(positionOf(0n, 0), startMs);
  log.append([2, 4, 6].map((place) => change(place)));
  expect(placesAfter(log, positionOf(4n, 0))).toEqual([positionOf(6n, 0)]);
  expect(placesAfter(log, positionOf(3n, 0))).toEqual([positionOf(4n, 0), positionOf(6n, 0)]);
  expect(placesAfter(log, positionOf(6n, 0))).toEqual([]);
});

test('a time is mapped to the last position before it, or to none if the log does not reach back that far', () => {
  const log = new ChangeLog(positionOf(0n, 0), startMs);
  log.append([2, 4].map((place) => change(place)));
  expect(log.findPositionBefore(startMs + 3_000)).toBe(positionOf(2n, 0));
  expect(log.findPositionBefore(startMs + 500)).toBe(positionOf(0n, 0));
  expect(log.findPositionBefore(startMs - 5_000)).toBeUndefined();
});

test('the log drops its oldest changes when it grows too large and keeps the position where it starts', () => {
  const log = new ChangeLog(positionOf(0n, 0), startMs);
  for (let place = 1; place <= 13; place++) log.append([change(place, 8 * 1024 * 1024)]);
  const [oldest] = log.after(log.start);
  expect(log.start > positionOf(0n, 0)).toBe(true);
  expect((oldest?.position ?? '') > log.start).toBe(true);
  expect(placesAfter(log, positionOf(12n, 0))).toEqual([positionOf(13n, 0)]);
});

test('an update event lists the paths that changed', () => {
  const before = { same: 1, v: 1, deep: { a: 1, b: { c: 1 } }, list: [1, 2], gone: 1, kind: { a: 1 } };
  const after = { same: 1, v: 2, deep: { a: 1, b: { c: 2 }, added: 1 }, list: [1, 2, 3], kind: 'text' };
  expect(describeUpdate(before, after)).toEqual({
    updatedFields: { v: 2, 'deep.b.c': 2, 'deep.added': 1, list: [1, 2, 3], kind: 'text' },
    removedFields: ['gone'],
    truncatedArrays: [],
  });
});

test('the document before and after an update is delivered only on request', () => {
  const update: Change = {
    ...change(1),
    kind: 'update',
    before: Buffer.from(encode({ _id: 1, v: 1 })),
    after: Buffer.from(encode({ _id: 1, v: 2 })),
  };
  expect(toChangeEvent(update, {})).not.toHaveProperty('fullDocument');
  const full = { fullDocument: 'updateLookup', fullDocumentBeforeChange: 'whenAvailable' };
  expect(toChangeEvent(update, full)).toMatchObject({
    documentKey: { _id: 1 },
    fullDocument: { v: 2 },
    fullDocumentBeforeChange: { v: 1 },
  });
});
