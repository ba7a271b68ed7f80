/** Time after which another process continues an interrupted operation. */
export const resumeAfterMs = 15_000;
