import type { QueryFilter } from 'mongoose';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError } from '../../../platform/errors/AppError.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { type Connection, findPage } from '../../../platform/pagination/findPage.ts';
import type { QueryadminUsersArgs } from '../../identity.generated.ts';
import { normalizeEmail } from '../user/emailAddress.ts';
import { UserModel, type UserRecord } from '../user/model.ts';
import { toNameKey } from '../user/nameKey.ts';
import { type AdminUserEntryParent, toAdminUserEntry } from './toAdminUser.ts';

const longestText = 200;

export async function adminUsers(
  args: QueryadminUsersArgs,
  context: RequestContext,
): Promise<Connection<AdminUserEntryParent>> {
  const { nodes, pageInfo } = await findPage({
    context,
    collection: scoped(UserModel, context.installationId),
    filter: toFilter(args),
    sort: [{ key: 'createdAt', direction: -1 }],
    first: args.first,
    after: args.after,
  });
  return { nodes: nodes.map(toAdminUserEntry), pageInfo };
}

function toFilter({ q, state, role, createdAfter }: QueryadminUsersArgs): QueryFilter<UserRecord> {
  if ((q?.length ?? 0) > longestText)
    throw new AppError('malformed_request', `"q" must have at most ${longestText} characters.`);
  const conditions: QueryFilter<UserRecord>[] = [];
  if (state?.length) conditions.push({ state: { $in: state } });
  if (role) conditions.push({ roles: role });
  if (createdAfter) conditions.push({ createdAt: { $gt: createdAfter } });
  const text = (q ?? '').trim();
  if (text !== '') conditions.push({ $or: beginningWith(text) });
  return conditions.length > 0 ? { $and: conditions } : {};
}

/**
 * Returns range conditions instead of a regular expression: no text can be an operator, and an index serves each of
 * them.
 */
function beginningWith(text: string): QueryFilter<UserRecord>[] {
  const address = normalizeEmail(text) ?? toNameKey(text).replaceAll(' ', '');
  const name = toNameKey(text);
  return [
    ...(address === '' ? [] : [{ emailNormalized: rangeOf(address) }]),
    ...(name === '' ? [] : [{ nameKey: rangeOf(name) }]),
    // Neither is searchable, because no name contains such characters.
    ...(address === '' && name === '' ? [{ _id: '' }] : []),
  ];
}

function rangeOf(beginning: string): { $gte: string; $lt: string } {
  return { $gte: beginning, $lt: `${beginning}\u{10ffff}` };
}
