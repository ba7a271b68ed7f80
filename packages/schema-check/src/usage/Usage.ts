/** Rules by which recorded usage is judged. */
export interface UsageRules {
  /** Days before the check that are considered. */
  readonly windowDays: number;
  /** Days of the window with any recorded use that are needed before a removal counts as unused. */
  readonly minimumDays: number;
  /** Executions below which a part of the API counts as unused. */
  readonly minimumCount: number;
  /** Clients that are ignored, by name or id. */
  readonly excludeClients: readonly string[];
}

/** Default rules; the same as in `schema-check.schema.json`. */
export const defaultRules: UsageRules = {
  windowDays: 30,
  minimumDays: 14,
  minimumCount: 1,
  excludeClients: [],
};

/** Executions of an operation or route by one client within the window. */
export interface OperationUse {
  /** Name of the client, otherwise its id. */
  readonly client: string;
  readonly count: number;
  /** ISO 8601. */
  readonly lastUsedAt: string;
}

/** An operation or route, and its use within the window. */
export interface UsedOperation {
  /** Method and path of a REST route, or an opaque key of a GraphQL operation. */
  readonly operation: string;
  readonly coordinates: readonly string[];
  readonly uses: readonly OperationUse[];
}

/** Recorded usage within the window. */
export interface RecordedUsage {
  readonly rules: UsageRules;
  /** Days of the window with any recorded use, also of excluded clients. */
  readonly recordedDays: number;
  readonly operations: readonly UsedOperation[];
}
