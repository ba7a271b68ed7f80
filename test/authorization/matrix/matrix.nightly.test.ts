import { operations } from '../parts.ts';
import { everybody } from '../world/people.ts';
import { describeMatrix } from './describeMatrix.ts';

const { outcomes } = describeMatrix(operations, 'all callers');

test('the matrix has a cell for every caller, case and route', () => {
  const rest = outcomes.filter(({ route }) => route !== null).length;
  process.stderr.write(
    `authorization matrix: ${rest} cells over REST, ${outcomes.length - rest} over GraphQL\n`,
  );
  if (process.env.MATRIX !== undefined) return;
  expect(new Set(outcomes.map(({ who }) => who)).size).toBe(everybody.length);
  expect(outcomes.length).toBeGreaterThan(9000);
});
