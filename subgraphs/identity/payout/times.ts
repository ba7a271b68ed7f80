/** An order that may have been carried out is repeated soon. */
export const repeatMs = 30_000;
