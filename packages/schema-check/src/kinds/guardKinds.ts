import { breaking, dangerous, safe } from './Severity.ts';

/**
 * Kinds of changes of what fields and types demand of callers; the path is a coordinate of the supergraph. A guard
 * that admits more callers breaks what the owners of the data were promised.
 */
export const guardKinds = {
  'guard-missing': breaking(
    'A root field has no guard, which prevents the start (default deny).',
    'State the guard of the field, or declare it public.',
  ),
  'guard-stricter': breaking(
    'Callers who were admitted are refused.',
    'Ask the owners of the refused clients, then accept the change by name.',
  ),
  'guard-opened': breaking(
    'A guarded field became public.',
    'Restore the guard. If the data may be public, accept the change by name.',
  ),
  'guard-looser': breaking(
    'Callers who were refused are admitted.',
    'Restore the demand. If further callers may read the data, accept the change by name.',
  ),
  'limit-lowered': breaking(
    'Requests of a size or duration that was accepted are refused.',
    'Find out which clients send more, then accept the change by name.',
  ),
  'limit-changed': dangerous('A limit is higher, new, or back to its default.'),
  'idempotency-required': breaking(
    'A request without an idempotency key is refused.',
    'Keep the key optional.',
  ),
  'idempotency-removed': breaking(
    'The idempotency key is ignored: a retry has a second effect.',
    'Keep honouring the key.',
  ),
  'idempotency-added': safe('The idempotency key is honoured, or became optional.'),
  'rate-class-changed': dangerous('Executions are charged to another rate budget.'),
} as const;
