import { AppError } from '../errors/AppError.ts';

/** A transition between two states, with its trigger. */
export interface Transition<S extends string, T extends string> {
  from: S;
  to: S;
  by: T;
}

/** Functions derived from a table of transitions; they can be destructured. */
export interface StateMachine<S extends string, T extends string> {
  readonly transitions: readonly Transition<S, T>[];
  /** Returns whether a transition exists; with this trigger, if one is named. */
  readonly isAllowed: (from: S, to: S, by?: T) => boolean;
  /** Returns the states that one step leads to, for error messages. */
  readonly nextStates: (from: S) => S[];
  /** States from which a trigger leads to a state. */
  readonly sourcesOf: (to: S, by: T) => S[];
  /**
   * Returns the state after a trigger.
   *
   * @param attempted attempted state, as in `suspended`
   * @throws AppError `invalid_transition`
   */
  readonly nextState: (state: S, by: T, attempted: string) => S;
  /** Returns the 409 that names the state and its possible transitions; `attempted` as in `held`. */
  readonly invalidTransition: (state: S, attempted: string) => AppError;
}

/**
 * Returns the state machine of a table.
 *
 * @param what subject of the states, as in `A payout`
 * @param states all of them, in display order
 * @param table trigger, source states, and target state
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
