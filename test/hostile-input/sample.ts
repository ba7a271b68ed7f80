/** Values for each place of an input: all, or a few that rotate between places. */
export type Sample = 'some values' | 'all values';

/** Chooses the values of the next place. */
export type Pick = <Value>(all: readonly Value[], count?: number) => readonly Value[];

/** @param every with some values, only every nth place gets values */
export function createPick(sample: Sample, every = 1): Pick {
  let places = 0;
  return (all, count = 1) => {
    places += 1;
    if (sample === 'all values') return all;
    if (places % every !== 0) return [];
    const first = (places / every) * count;
    const chosen = Array.from({ length: count }, (_, index) => (first + index) % all.length);
    return all.filter((_, index) => chosen.includes(index));
  };
}
