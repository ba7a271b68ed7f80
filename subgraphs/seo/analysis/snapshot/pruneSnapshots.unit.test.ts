import { findSuperfluous } from './pruneSnapshots.ts';

/** Analyses on these days, newest first, named by their day. */
function on(...days: string[]) {
  return days.map((day) => ({ _id: day, createdAt: new Date(`${day}T12:00:00Z`) }));
}

const lastTwenty = Array.from({ length: 20 }, (_, index) => `2026-05-${String(31 - index).padStart(2, '0')}`);

test('the last 20 always stay', () => {
  expect(findSuperfluous(on(...lastTwenty))).toEqual([]);
});

test('of what is older the last one of each month stays', () => {
  const older = ['2026-05-02', '2026-05-01', '2026-04-30', '2026-03-09', '2026-03-08', '2025-03-31'];
  expect(findSuperfluous(on(...lastTwenty, ...older))).toEqual(['2026-05-01', '2026-03-08']);
});
