import type { GraphQLField, GraphQLObjectType } from 'graphql';
import type { Change } from '../Change.ts';

/** A field of an object type. */
export type Field = GraphQLField<unknown, unknown>;

/** Conditions that one of two guards has beyond the other, in words. */
export interface GuardDifference {
  /** Callers that do not meet these were admitted and are refused now. */
  readonly added: readonly string[];
  /** Callers that do not meet these were refused and are admitted now. */
  readonly dropped: readonly string[];
}

/** Reads the conditions for callers from the directives of a schema. */
export interface GuardLanguage<Guard> {
  /** Whether a root field without a guard is a fault. */
  readonly isRequired: boolean;
  /** Returns the guard of a field or type, null if no directive states one. */
  read(element: Field | GraphQLObjectType): Guard | null;
  /** Returns whether a guard admits callers without an identity. */
  isPublic(guard: Guard): boolean;
  /**
   * Compares two guards.
   *
   * @param before null if it has no conditions of its own
   */
  compare(before: Guard | null, after: Guard | null): GuardDifference;
  /** Returns the guard in words. */
  describe(guard: Guard): string;
  /** Returns changes of directives of a root field besides its guard. */
  compareTraits?(before: Field, after: Field, path: string): Change[];
}
