/** How long a process has for what it began, before another one takes it up. */
export const resumeAfterMs = 15_000;
