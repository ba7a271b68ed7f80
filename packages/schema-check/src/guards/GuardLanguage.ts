import type { GraphQLField, GraphQLObjectType } from 'graphql';
import type { Change } from '../Change.ts';

/** A field of an object type. */
export type Field = GraphQLField<unknown, unknown>;

/** Demands that one of two guards makes beyond the other, in words. */
export interface GuardDifference {
  /** Callers that do not meet these were admitted and are refused now. */
  readonly added: readonly string[];
  /** Callers that do not meet these were refused and are admitted now. */
  readonly dropped: readonly string[];
}

/** How the directives of a schema state what a field or type demands of its caller. */
export interface GuardLanguage<Guard> {
  /** Whether a root field without a guard is a fault. */
  readonly isRequired: boolean;
  /** Returns the guard of a field or type, null if no directive states one. */
  read(element: Field | GraphQLObjectType): Guard | null;
  /** Whether a guard admits callers without an identity. */
  isPublic(guard: Guard): boolean;
  /** @param before null: no demands of its own */
  compare(before: Guard | null, after: Guard | null): GuardDifference;
  /** The guard in words. */
  describe(guard: Guard): string;
  /** Changes of what directives of a root field state besides its guard. */
  compareTraits?(before: Field, after: Field, path: string): Change[];
}
