/** How many of the values each place of an input is tried with: all, or a few that rotate from place to place. */
export type Sample = 'some values' | 'all values';

/** Chooses the values of the next place. */
export type Pick = <Value>(all: readonly Value[], count?: number) => readonly Value[];

export function createPick(sample: Sample): Pick {
  let places = 0;
  return (all, count = 1) => {
    places += 1;
    if (sample === 'all values') return all;
    const chosen = Array.from({ length: count }, (_, index) => (places * count + index) % all.length);
    return all.filter((_, index) => chosen.includes(index));
  };
}
