import type { Guard } from '../../../schema/guards/readGuard.ts';
import { shown } from '../../../schema/Problem.ts';
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
  // The id of an entity is a member of the record, which the caller may not know.
  throw ownershipRequired({ type, id: path === 'id' ? undefined : readPath(subject, path) });
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
  throw dealerMembershipRequired(dealerId);
}

/**
 * Returns the same error for reads and writes. It contains what the caller sent, and no member of the record.
 *
 * @param record GraphQL type of the record, and its id if the caller sent it
 */
export function ownershipRequired(record?: { type: string; id?: string | undefined }): AppError {
  const words = record ? nameOf(record.type) : 'record';
  const subject = record?.id === undefined ? `This ${words}` : `The ${words} "${shown(record.id)}"`;
  const remedy =
    'Send a record that you own, or sign in as its owner or as a member of the dealer that owns it.';
  return new AppError('ownership_required', `${subject} belongs to another user or dealer. ${remedy}`, {
    ...(record && { record: { type: words, ...(record.id !== undefined && { id: shown(record.id) }) } }),
  });
}

/** Returns the error for a caller who names a dealer without being its member. */
export function dealerMembershipRequired(dealerId: string): AppError {
  const detail = `You are not a member of the dealer "${shown(dealerId)}". Send the id of a dealer in your \`dealerMemberships\`.`;
  return new AppError('ownership_required', detail, { record: { type: 'dealer', id: shown(dealerId) } });
}

/** Returns the name of a type in words, without the part that states a role of the caller. */
function nameOf(type: string): string {
  return toWords(type.replace(/^(?:Sent|Received)|Download$/g, ''));
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
