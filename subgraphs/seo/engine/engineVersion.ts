/**
 * Part of every answer and of what a stored analysis depends on: a change of results with the same ruleset is a new
 * version.
 */
export const engineVersion = '1.4.0';
