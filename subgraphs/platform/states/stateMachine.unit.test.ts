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

test('a way is allowed if the table has it, by that trigger if one is named', () => {
  expect(lamp.isAllowed('on', 'broken')).toBe(true);
  expect(lamp.isAllowed('on', 'broken', 'time')).toBe(true);
  expect(lamp.isAllowed('on', 'broken', 'person')).toBe(false);
  expect(lamp.isAllowed('broken', 'on')).toBe(false);
});

test('what comes next is in the order of the states, and nothing follows an end', () => {
  expect(lamp.nextStates('on')).toEqual(['off', 'broken']);
  expect(lamp.nextStates('broken')).toEqual([]);
  expect(lamp.transitions).toHaveLength(4);
});

test('where a trigger leads from, and to', () => {
  expect(lamp.sourcesOf('broken', 'time')).toEqual(['off', 'on']);
  expect(lamp.sourcesOf('broken', 'person')).toEqual([]);
  expect(lamp.nextState('on', 'person', 'switched')).toBe('off');
});

test('a refusal says what was tried, and what is possible', () => {
  expect(() => lamp.nextState('broken', 'person', 'switched')).toThrow(
    expect.objectContaining({
      code: 'invalid_transition',
      message: 'A lamp in the state "broken" cannot be switched.',
      details: { allowedFrom: { state: 'broken', allowed: [] } },
    }),
  );
  expect(lamp.invalidTransition('on', 'mended').details).toEqual({
    allowedFrom: { state: 'on', allowed: ['off', 'broken'] },
  });
});
