import { stateMachine } from './stateMachine.ts';

const lamp = stateMachine<'off' | 'on' | 'broken', 'person' | 'time'>(
  'A lamp',
  ['off', 'on', 'broken'],
  [
    ['time', ['off', 'on'], 'broken'],
    ['person', ['off'], 'on'],
    ['person', ['on'], 'off'],
  ],
);

test('a state machine allows the transitions of its table, for their triggers only', () => {
  expect(lamp.isAllowed('on', 'broken')).toBe(true);
  expect(lamp.isAllowed('on', 'broken', 'time')).toBe(true);
  expect(lamp.isAllowed('on', 'broken', 'person')).toBe(false);
  expect(lamp.isAllowed('broken', 'on')).toBe(false);
  expect(lamp.sourcesOf('broken', 'time')).toEqual(['off', 'on']);
  expect(lamp.sourcesOf('broken', 'person')).toEqual([]);
  expect(lamp.nextState('on', 'person', 'switched')).toBe('off');
  expect(lamp.nextStates('on')).toEqual(['off', 'broken']);
  expect(lamp.nextStates('broken')).toEqual([]);
  expect(lamp.transitions).toHaveLength(4);
});

test('a refused transition reports the current state and the allowed next states', () => {
  expect(() => lamp.nextState('broken', 'person', 'switched')).toThrow(
    expect.objectContaining({
      code: 'invalid_transition',
      message: 'A lamp in the state "broken" cannot be switched.',
      details: { allowedFrom: { state: 'broken', allowed: [] } },
    }),
  );
  const { details } = lamp.invalidTransition('on', 'mended');
  expect(details).toEqual({ allowedFrom: { state: 'on', allowed: ['off', 'broken'] } });
});
