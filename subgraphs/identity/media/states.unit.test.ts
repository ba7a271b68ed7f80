import { pathsOf } from '../../../test/support/pathsOf.ts';
import { mediaStates, nextState, nextStates, transitions } from './states.ts';

test('a file has exactly the specified transitions', () => {
  expect(pathsOf(transitions)).toEqual({
    'completeMediaUpload -> processing': 'awaiting_upload',
    'uploadTimeout -> failed': 'awaiting_upload',
    'mediaProcessing -> ready': 'processing',
    'mediaFailure -> failed': 'processing',
    'updateMedia -> processing': 'ready',
    'blockMedia -> blocked': 'ready',
    'unblockMedia -> ready': 'blocked',
    'deleteMedia -> deleted': 'awaiting_upload blocked failed ready',
    'mediaPurge -> purged': 'deleted',
  });
});

test('a trigger without a transition is refused with the allowed states', () => {
  for (const from of mediaStates)
    for (const { by } of transitions) {
      const way = transitions.find((one) => one.from === from && one.by === by);
      const details = { allowedFrom: { state: from, allowed: nextStates(from) } };
      const refusal = expect.objectContaining({ code: 'invalid_transition', details });
      if (way) expect(nextState(from, by, 'moved')).toBe(way.to);
      else expect(() => nextState(from, by, 'moved')).toThrow(refusal);
    }
});
