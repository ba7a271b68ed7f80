import type { AuditEventRecord } from '../../../platform/audit/store/model.ts';

/** Members without personal data or that must never be exported: hashes, encrypted secrets, and technical members. */
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

/** A stored record as its owner may read it: `_id` is `id`, and nothing that is withheld, at any depth. */
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

/** The actor of a recorded action as the person may read it: members of the staff are not named. */
export function hideStaff(
  actor: AuditEventRecord['actor'],
  userId: string,
): Partial<AuditEventRecord['actor']> {
  return actor.id === userId || actor.type === 'system' ? actor : { type: actor.type };
}
