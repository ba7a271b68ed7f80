import type { InterfaceName, Method } from '../route/Route.ts';
import type { GuardColumns } from './toGuardColumns.ts';

/** One REST method with its guard. */
export interface AuditedMethod extends GuardColumns {
  readonly interface: InterfaceName;
  readonly method: Method;
  readonly path: string;
  /** Name of the operation, which is that of its root field; null for an adapter. */
  readonly operation: string | null;
  /** File of the operation under `rest-facade`; null for an adapter. */
  readonly document: string | null;
  /** `Query.listing`; null for an adapter, which resolves no field. */
  readonly field: string | null;
  /** Group of the documentation that contains it. */
  readonly tag: string;
  /** Reason for access without identity; null if it requires one. */
  readonly reason: string | null;
}

/** One root field of the graph, with or without a REST route. */
export interface AuditedField extends GuardColumns {
  readonly field: string;
  /** Number of REST methods that run it. */
  readonly routes: number;
  /** Reason for access without identity; null if it requires one. */
  readonly reason: string | null;
  /** Sample operation; null if a route has one. */
  readonly operation: string | null;
}

/** A field below the root with its own guard, in addition to that of its type. */
export interface AuditedNestedField {
  readonly field: string;
  readonly guard: string;
  readonly typeGuard: string | null;
}

/** Number of methods of an interface that require an identity, require none, or have no guard. */
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
  /** Public exceptions of A without a route. */
  readonly unmountedExceptions: readonly string[];
  /** Findings that fail the audit. */
  readonly findings: readonly string[];
}
