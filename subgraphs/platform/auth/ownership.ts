import type { Guard } from '../../../schema/guards/readGuard.ts';
import type { Permission } from '../../../schema/permissions.ts';
import type { RequestContext } from '../context/RequestContext.ts';
import { AppError, notFound } from '../errors/AppError.ts';
import type { Viewer } from '../principal/Viewer.ts';
import { assertGuard } from './checkGuard.ts';

/** Determines the owner of a record type; one for each type named by `@guard__owner` or `@guard__dealerRole`. */
export interface OwnershipPolicy<Record = unknown> {
  /** Loads the record in the request's installation, batched per request; null if there is none. */
  load(id: string, context: RequestContext): Promise<Record | null>;
  isOwner(viewer: Viewer, record: Record): boolean;
}

/** Policies by GraphQL type name. */
export type OwnershipPolicies = Readonly<Record<string, OwnershipPolicy>>;

/**
 * Checks the part of a guard that needs the record: 404 if it is missing, 403 if it has another owner. Runs after
 * `assertGuard`.
 *
 * @param subject the field's arguments, or the entity itself for the guard of a type
 */
export async function assertOwnership(
  guard: Guard,
  subject: object,
  context: RequestContext,
  policies: OwnershipPolicies,
): Promise<void> {
  if (guard.owner) await assertOwner(guard, guard.owner, { subject, context, policies });
  if (guard.dealerRole) await assertDealerRole(guard, guard.dealerRole, { subject, context, policies });
}

/** Input of a guard. */
interface Case {
  subject: object;
  context: RequestContext;
  policies: OwnershipPolicies;
}

async function assertOwner(
  guard: Guard,
  { type, id: path, or }: NonNullable<Guard['owner']>,
  { subject, context, policies }: Case,
): Promise<void> {
  const policy = policies[type];
  if (!policy) throw new Error(`No ownership policy for "${type}".`);
  const { viewer } = context;
  const record = await policy.load(readPath(subject, path), context);
  if (record === null) throw notFound(`The ${toWords(type)}`);
  if (policy.isOwner(viewer, record)) return;
  if (or && (await holdsInstead(guard, or, context))) return;
  throw ownershipRequired();
}

/**
 * Returns whether the caller holds the permission that replaces ownership, as read from the database. Owners are
 * admitted before, without this read.
 */
async function holdsInstead(guard: Guard, permission: Permission, context: RequestContext): Promise<boolean> {
  if (context.viewer.breadthOf(permission) !== 'any') return false;
  assertGuard(guard, await context.identify(true), context);
  return context.viewer.breadthOf(permission) === 'any';
}

async function assertDealerRole(
  guard: Guard,
  { atLeast, dealer: path, or }: NonNullable<Guard['dealerRole']>,
  { subject, context, policies }: Case,
): Promise<void> {
  const dealerId = readPath(subject, path);
  if (context.viewer.hasDealerRole(dealerId, atLeast)) return;
  if (or && (await holdsInstead(guard, or, context))) return;
  if (context.viewer.membershipOf(dealerId)) {
    throw new AppError(
      'dealer_role_required',
      `This needs at least the role "${atLeast.toLowerCase()}" in the dealer.`,
    );
  }
  const policy = policies.Dealer;
  if (!policy) throw new Error('No ownership policy for "Dealer".');
  if ((await policy.load(dealerId, context)) === null) throw notFound('The dealer');
  throw ownershipRequired();
}

/** Returns the same error for reads and writes, without members of the record. */
export function ownershipRequired(): AppError {
  return new AppError('ownership_required', 'This record belongs to another user.');
}

/** Returns a type name in words, as in `data export`. */
function toWords(type: string): string {
  return type.replaceAll(/(?<=[a-z])[A-Z]/g, ' $&').toLowerCase();
}

/**
 * Returns the text at a path of members, as in `input.id`; empty for anything else. The `id` of a record is stored as
 * `_id`.
 */
export function readPath(subject: object, path: string): string {
  let value: unknown = subject;
  if (path === 'id' && '_id' in subject) return String(subject._id);
  for (const member of path.split('.')) value = (value as Record<string, unknown> | undefined)?.[member];
  return typeof value === 'string' ? value : '';
}
