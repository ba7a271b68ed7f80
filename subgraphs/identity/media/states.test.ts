import {
  type MediaState,
  type MediaTrigger,
  mediaStates,
  nextState,
  nextStates,
  transitions,
} from './states.ts';

/** The state machine of a file as the specification has it: from, to, by. */
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

test('the transitions are those of the specification, no more and no fewer', () => {
  const text = (ways: readonly { from: string; to: string; by: string }[]) =>
    ways.map(({ from, to, by }) => `${from} -> ${to} by ${by}`).sort();
  expect(text(transitions)).toEqual(text(specified.map(([from, to, by]) => ({ from, to, by }))));
});

test('every pair of state and trigger that is not listed is refused, with what is possible', () => {
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

test('nothing leads out of what is purged', () => {
  expect(nextStates('purged')).toEqual([]);
});
