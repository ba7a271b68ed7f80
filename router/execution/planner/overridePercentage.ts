/** Argument of the planner for progressive `@override`, which the router refuses at start; so it has no effect. */
export const overridePercentage = 0;
