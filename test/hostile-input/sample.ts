/** How many of the values each place of an input is tried with: all, or a few that rotate from place to place. */
export type Sample = 'some values' | 'all values';

/** Chooses the values of the next place. */
export type Pick = <Value>(all: readonly Value[], count?: number) => readonly Value[];

/** @param every of some values, those places get none that are not of this number in turn */
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
