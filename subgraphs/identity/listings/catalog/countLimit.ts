/** Largest exact number of results of a search. */
export const countLimit = 10_000;
