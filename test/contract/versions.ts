import type { ValidCall } from '../authorization/matrix/validCalls.ts';
import { collection } from '../authorization/world/collection.ts';
import type { World } from '../authorization/world/openWorld.ts';
import { restRoot } from '../support/stack/serveStack.ts';
import { askGraphql, type Input, inputOf, type Mutation, tokenOf } from './mutations.ts';

/** The record whose version a mutation compares with `expectedVersion`. */
interface Versioned {
  /** Current version of the record. */
  readonly version: number;
  /** Path whose GET returns the record with its `ETag`. Null if no route reads it. */
  readonly path: string | null;
}

type FindVersion = (world: World, valid: ValidCall) => Promise<Versioned>;

/** Returns the version of the record that a valid call changes. */
export function versionFor(world: World, { name, members }: Mutation, valid: ValidCall): Promise<Versioned> {
  const find = rows[name] ?? Object.entries(byMember).find(([member]) => members.has(member))?.[1];
  if (!find) throw new Error(`${name} takes expectedVersion and has no row in test/contract/versions.ts.`);
  return find(world, valid);
}

/** The record whose id is a member of the input. */
function named(member: string, name: string, path: ((id: string) => string) | null): FindVersion {
  return async (world, valid) => {
    const id = String(inputOf(valid)[member]);
    return { version: await world.versionOf(name, id), path: path && path(id) };
  };
}

/** Records by member of the input. The order matters, because a mutation of a membership compares the dealer's version. */
const byMember: Readonly<Record<string, FindVersion>> = {
  listingId: named('listingId', 'listings', (id) => `/api/v1/listings/${id}`),
  dealerId: named('dealerId', 'dealers', (id) => `/api/v1/dealers/${id}`),
  conversationId: named('conversationId', 'conversations', (id) => `/api/v1/conversations/${id}`),
  mediaId: named('mediaId', 'media', (id) => `/api/v1/media/${id}`),
  pageId: named('pageId', 'pages', null),
  payoutId: named('payoutId', 'payouts', null),
  reportId: named('reportId', 'reports', null),
  userId: named('userId', 'users', (id) => `/api/v1/admin/users/${id}`),
  intoGroupId: named('intoGroupId', 'relation_groups', null),
  groupId: named('groupId', 'relation_groups', (id) => `${restRoot}/translation/v1/relations?groupId=${id}`),
  id: named('id', 'translations', (id) => `${restRoot}/translation/v1/translations?id=${id}`),
};

const ofCaller: FindVersion = async (world, valid) => {
  const [, claims = ''] = tokenOf(world, valid)?.split('.') ?? [];
  const { sub } = JSON.parse(Buffer.from(claims, 'base64url').toString());
  return { version: await world.versionOf('users', sub), path: '/api/v1/me' };
};

const ofLanguages: FindVersion = async (world) => ({
  version: await world.versionOf('language_settings', world.app.stack.demo.id),
  path: null,
});

const ofAiSettings: FindVersion = async ({ app }) => {
  const stored = await collection('seo_ai_settings').findOne({ _id: app.stack.demo.id });
  return { version: Number(stored?.revision), path: `${restRoot}/seo-tools/v1/settings/ai` };
};

const ofRuleset: FindVersion = async ({ app }) => {
  const installationId = app.stack.demo.id;
  const stored = await collection('seo_rulesets').findOne({ installationId }, { sort: { version: -1 } });
  return { version: Number(stored?.version ?? 0), path: `${restRoot}/seo-tools/v1/settings/ruleset` };
};

const ofSeoRecord: FindVersion = async (_, valid) => {
  const { type, id } = inputOf(valid).object as { type: string; id: string };
  const stored = await collection('seo_records').findOne({ objectId: id });
  const path = `${restRoot}/seo-tools/v1/records/${type.toLowerCase()}/${id}`;
  return { version: Number(stored?.revision ?? 0), path };
};

/** A new stock number has no version, so the call is sent once before. */
const ofStock: FindVersion = async (world, valid) => {
  const { dealerId, stockNumber } = inputOf(valid);
  const find = () => collection('listings').findOne({ 'owner.id': dealerId, stockNumber });
  if (!(await find())) await askGraphql(world, valid, inputOf(valid));
  const stored = await find();
  return { version: Number(stored?.version), path: `/api/v1/listings/${stored?._id}` };
};

const groupOf = async (objectId: string): Promise<Versioned> => {
  const member = await collection('translations').findOne({ objectId });
  const group = await collection('relation_groups').findOne({ _id: String(member?.groupId) });
  const path = `${restRoot}/translation/v1/relations?objectType=listing&objectId=${objectId}`;
  return { version: Number(group?.version ?? 0), path: group ? path : null };
};

const ofGroup: FindVersion = (_, valid) => groupOf(String(inputOf(valid).objectId));
const ofGroupToJoin: FindVersion = (_, valid) => groupOf(String((inputOf(valid).relatedTo as Input).id));

const rows: Readonly<Record<string, FindVersion>> = {
  updateMe: ofCaller,
  requestAccountDeletion: ofCaller,
  upsertInventoryListing: ofStock,
  updateSeoRecord: ofSeoRecord,
  replaceSeoRuleset: ofRuleset,
  updateSeoAiSettings: ofAiSettings,
  createLanguage: ofLanguages,
  updateLanguage: ofLanguages,
  setLanguageActive: ofLanguages,
  setDefaultLanguage: ofLanguages,
  reorderLanguages: ofLanguages,
  updateLanguageAddresses: ofLanguages,
  deleteLanguage: ofLanguages,
  linkRelation: ofGroupToJoin,
  unlinkRelation: ofGroup,
};
