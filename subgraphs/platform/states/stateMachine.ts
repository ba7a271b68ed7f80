import { AppError } from '../errors/AppError.ts';

/** One way from state to state, and what leads there. */
export interface Transition<S extends string, T extends string> {
  from: S;
  to: S;
  by: T;
}

/** What follows from a table of transitions; its functions may be taken out of it. */
export interface StateMachine<S extends string, T extends string> {
  readonly transitions: readonly Transition<S, T>[];
  /** Whether there is such a way; by this trigger, if one is named. */
  readonly isAllowed: (from: S, to: S, by?: T) => boolean;
  /** States that one step leads to, for people who ran into a refusal. */
  readonly nextStates: (from: S) => S[];
  /** States from which a trigger leads to a state. */
  readonly sourcesOf: (to: S, by: T) => S[];
  /**
   * Where a trigger takes a record.
   *
   * @param attempted what was tried, as in `suspended`
   * @throws AppError `invalid_transition`
   */
  readonly nextState: (state: S, by: T, attempted: string) => S;
  /** 409 that names the state and where it can go from there; `attempted` as in `held`. */
  readonly invalidTransition: (state: S, attempted: string) => AppError;
}

/**
 * @param what has these states, as in `A payout`
 * @param states all of them, in the order in which people read them
 * @param table by what, from which states, to which one
 */
export function stateMachine<S extends string, T extends string>(
  what: string,
  states: readonly S[],
  table: readonly (readonly [by: T, from: readonly S[], to: S])[],
): StateMachine<S, T> {
  const transitions = table.flatMap(([by, froms, to]) => froms.map((from) => ({ from, to, by })));
  const isAllowed = (from: S, to: S, by?: T): boolean =>
    transitions.some((way) => way.from === from && way.to === to && (by === undefined || way.by === by));
  const nextStates = (from: S): S[] => states.filter((to) => isAllowed(from, to));
  const invalidTransition = (state: S, attempted: string): AppError =>
    new AppError('invalid_transition', `${what} in the state "${state}" cannot be ${attempted}.`, {
      allowedFrom: { state, allowed: nextStates(state) },
    });
  return {
    transitions,
    isAllowed,
    nextStates,
    invalidTransition,
    sourcesOf: (to, by) => states.filter((from) => isAllowed(from, to, by)),
    nextState(state, by, attempted) {
      const way = transitions.find((one) => one.from === state && one.by === by);
      if (!way) throw invalidTransition(state, attempted);
      return way.to;
    },
  };
}
