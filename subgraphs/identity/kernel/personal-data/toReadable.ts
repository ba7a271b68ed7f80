import type { AuditEventRecord } from '../../../platform/audit/store/model.ts';

/** Members that are never exported: hashes, encrypted secrets, and technical members without personal data. */
export const withheld: ReadonlySet<string> = new Set([
  'installationId',
  'passwordHash',
  'recoveryCodeHashes',
  'sealedSecret',
  'lastUsedStep',
  'sealedData',
  'lastError',
  'emailNormalized',
  'refreshCounter',
  'words',
  'openReports',
  'openAppeals',
  'flags',
  'queuedAt',
  'erasure',
  'fence',
  'outbox',
  'attempts',
  'clientSecret',
]);

/** Returns a stored record for its owner. `_id` is renamed to `id`, and withheld members are removed at any depth. */
export function toReadable(value: object): object {
  return readable(value) as object;
}

function readable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(readable);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([member]) => !withheld.has(member))
      .map(([member, inner]) => [member === '_id' ? 'id' : member, readable(inner)]),
  );
}

/** Returns the actor of a recorded action for the data subject; staff members are not named. */
export function hideStaff(
  actor: AuditEventRecord['actor'],
  userId: string,
): Partial<AuditEventRecord['actor']> {
  return actor.id === userId || actor.type === 'system' ? actor : { type: actor.type };
}
