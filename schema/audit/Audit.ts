import type { InterfaceName, Method } from '../route/Route.ts';
import type { GuardColumns } from './toGuardColumns.ts';

/** One REST method and the guard that holds for it. */
export interface AuditedMethod extends GuardColumns {
  readonly interface: InterfaceName;
  readonly method: Method;
  readonly path: string;
  /** Name of the operation, which is that of its root field; null for an adapter. */
  readonly operation: string | null;
  /** File of the operation under `rest-facade`; null for an adapter. */
  readonly document: string | null;
  /** `Query.listing`; null for an adapter, which asks no field. */
  readonly field: string | null;
  /** Group of the documentation that contains it. */
  readonly tag: string;
  /** Why it answers without identity; null if it does not. */
  readonly reason: string | null;
}

/** One root field of the graph, whether REST has it or not. */
export interface AuditedField extends GuardColumns {
  readonly field: string;
  /** Number of REST methods that run it. */
  readonly routes: number;
  /** Why it answers without identity; null if it does not. */
  readonly reason: string | null;
  /** An operation that asks for it, to begin with; null where a route has one. */
  readonly operation: string | null;
}

/** A field below the root with a guard of its own, beside the guard of its type. */
export interface AuditedNestedField {
  readonly field: string;
  readonly guard: string;
  readonly typeGuard: string | null;
}

/** How many methods of an interface need an identity, need none, or have no guard. */
export interface InterfaceCount {
  authenticated: number;
  public: number;
  unguarded: number;
}

/** The effective guard of everything that can be called. */
export interface Audit {
  readonly interfaces: Readonly<Record<InterfaceName, InterfaceCount>>;
  readonly methods: readonly AuditedMethod[];
  readonly rootFields: readonly AuditedField[];
  readonly nestedFields: readonly AuditedNestedField[];
  /** Paths of the service itself: GraphQL, documentation, health. */
  readonly operations: readonly {
    readonly method: string;
    readonly path: string;
    readonly summary: string;
  }[];
  /** Public exceptions of A that nothing answers. */
  readonly unmountedExceptions: readonly string[];
  /** Findings that fail the audit. */
  readonly findings: readonly string[];
}
