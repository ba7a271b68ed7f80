import {
  type MediaState,
  type MediaTrigger,
  mediaStates,
  nextState,
  nextStates,
  transitions,
} from './states.ts';

/** The states of a file as the specification has them: from, to, by. */
const specified: [MediaState, MediaState, MediaTrigger][] = [
  ['awaiting_upload', 'processing', 'completeMediaUpload'],
  ['awaiting_upload', 'failed', 'uploadTimeout'],
  ['processing', 'ready', 'mediaProcessing'],
  ['processing', 'failed', 'mediaFailure'],
  ['ready', 'processing', 'updateMedia'],
  ['ready', 'blocked', 'blockMedia'],
  ['blocked', 'ready', 'unblockMedia'],
  ['ready', 'deleted', 'deleteMedia'],
  ['failed', 'deleted', 'deleteMedia'],
  ['blocked', 'deleted', 'deleteMedia'],
  ['awaiting_upload', 'deleted', 'deleteMedia'],
  ['deleted', 'purged', 'mediaPurge'],
];

test('a file has exactly the transitions of the specification', () => {
  const text = (ways: readonly { from: string; to: string; by: string }[]) =>
    ways.map(({ from, to, by }) => `${from} -> ${to} by ${by}`).sort();
  expect(text(transitions)).toEqual(text(specified.map(([from, to, by]) => ({ from, to, by }))));
});

test('a trigger that a state does not know is refused with the possible states', () => {
  for (const from of mediaStates)
    for (const by of new Set(specified.map((way) => way[2]))) {
      const way = specified.find((one) => one[0] === from && one[2] === by);
      if (way) expect(nextState(from, by, 'moved')).toBe(way[1]);
      else
        expect(() => nextState(from, by, 'moved')).toThrow(
          expect.objectContaining({
            code: 'invalid_transition',
            details: { allowedFrom: { state: from, allowed: nextStates(from) } },
          }),
        );
    }
});

test('a purged file stays purged', () => {
  expect(nextStates('purged')).toEqual([]);
});
