import type { ClientScope } from '../../../../../schema/permissions.ts';
import { type DealerMembership, Viewer } from '../../../../platform/principal/Viewer.ts';
import type { DealerRecord } from '../../../people/dealer/model.ts';
import { canEditDealer, canReadDealer } from '../../../people/dealer/policy.ts';
import type { ListingRecord } from './model.ts';
import { canEdit, canReadDraft, ownedBy, ownsListing } from './policy.ts';

const member = (role: DealerMembership['role'], ...locationIds: string[]): DealerMembership => ({
  dealerId: 'dlr_1',
  name: 'Garage',
  dealerState: 'active',
  role,
  locationIds,
});
const token = {
  installationId: 'ins_1',
  sessionId: 'ses_1',
  scopes: new Set(['user']),
  authTime: 0,
  amr: [],
  expiresAt: 0,
};
const person = (memberships: DealerMembership[] = [], roles: string[] = ['buyer']) =>
  new Viewer(
    { ...token, subject: 'usr_1', subjectType: 'user' },
    { state: 'active', emailVerified: true, roles, memberships },
  );
const client = (...scopes: ClientScope[]) =>
  new Viewer(
    { ...token, subject: 'cli_1', subjectType: 'client', dealerId: 'dlr_1', scopes: new Set(scopes) },
    { state: 'active', emailVerified: true, roles: [], memberships: [member('MANAGER')] },
  );
const ofDealer = (dealerLocationId: string | null = null): ListingRecord =>
  ({ owner: { type: 'dealer', id: 'dlr_1' }, dealerLocationId }) as ListingRecord;
const privately = (id: string): ListingRecord =>
  ({ owner: { type: 'user', id }, dealerLocationId: null }) as ListingRecord;

test.each([
  ['a user owns an own listing', person(), privately('usr_1'), true],
  ['a user does not own a listing of another user', person(), privately('usr_2'), false],
  ['a user who is not a member does not own a listing of the dealer', person(), ofDealer(), false],
  [
    'an owner of a dealer does not own a listing of another user',
    person([member('OWNER')]),
    privately('usr_2'),
    false,
  ],
  ['an agent owns a listing of the dealer', person([member('AGENT')]), ofDealer(), true],
  [
    'an agent owns a listing of the assigned location',
    person([member('AGENT', 'loc_1')]),
    ofDealer('loc_1'),
    true,
  ],
  [
    'an agent with a location does not own a listing of another location',
    person([member('AGENT', 'loc_1')]),
    ofDealer('loc_2'),
    false,
  ],
  [
    'an agent with a location does not own a listing without a location',
    person([member('AGENT', 'loc_1')]),
    ofDealer(),
    false,
  ],
  [
    'a manager with a location owns a listing of another location',
    person([member('MANAGER', 'loc_1')]),
    ofDealer('loc_2'),
    true,
  ],
  ['an API client owns a listing of its dealer', client(), ofDealer(), true],
  [
    'a moderator does not own a listing of another user',
    person([], ['moderator']),
    privately('usr_2'),
    false,
  ],
])('%s', (_, viewer, listing, owns) => {
  expect(ownsListing(viewer, listing)).toBe(owns);
});

test.each<[ClientScope[], boolean, boolean]>([
  [[], false, false],
  [['payments:read'], false, false],
  [['listings:read'], true, false],
  [['listings:write'], false, true],
  [['content:seo'], true, true],
  [['content:translate'], true, true],
])('an API client with the scopes %j can read drafts: %s, can edit: %s', (scopes, reads, edits) => {
  expect(canReadDraft(client(...scopes), ofDealer())).toBe(reads);
  expect(canEdit(client(...scopes), ofDealer())).toBe(edits);
});

test('an API client can read and edit its own dealer only with the scopes for it', () => {
  const dealer = { _id: 'dlr_1', state: 'onboarding' } as DealerRecord;
  expect(canReadDealer(client('payments:read'), dealer)).toBe(false);
  expect(canReadDealer(client('dealer:read'), dealer)).toBe(true);
  expect(canEditDealer(client('dealer:read'), dealer)).toBe(false);
  expect(canEditDealer(client('content:seo'), dealer)).toBe(true);
  expect(canEditDealer(person([member('AGENT')]), dealer)).toBe(false);
});

test('the filter of a list selects the owned listings', () => {
  expect(ownedBy(person())).toEqual({ 'owner.id': { $in: ['usr_1'] } });
  expect(ownedBy(client('listings:read'))).toEqual({ 'owner.id': { $in: ['dlr_1'] } });
  expect(ownedBy(person([member('MANAGER', 'loc_1')]), 'dlr_1')).toEqual({ 'owner.id': { $in: ['dlr_1'] } });
  expect(ownedBy(person([member('AGENT', 'loc_1')]))).toEqual({
    $or: [{ 'owner.id': { $in: ['usr_1'] } }, { 'owner.id': 'dlr_1', dealerLocationId: { $in: ['loc_1'] } }],
  });
  expect(ownedBy(person([member('OWNER')]), 'dlr_2')).toEqual({ 'owner.id': { $in: [] } });
});
