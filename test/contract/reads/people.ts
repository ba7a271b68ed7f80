import { randomUUID } from 'node:crypto';
import { addOperator } from '../../../subgraphs/identity/people/operator/addOperator.ts';
import { openSession } from '../../../subgraphs/identity/people/session/openSession.ts';
import { UserModel } from '../../../subgraphs/identity/people/user/model.ts';
import { newId } from '../../../subgraphs/platform/ids/newId.ts';
import { scoped } from '../../../subgraphs/platform/installation/scoped.ts';
import { collection } from '../../authorization/world/collection.ts';
import { storeDispute } from '../../authorization/world/storeDispute.ts';
import { storePage } from '../../authorization/world/storePage.ts';
import { storePaymentMethod } from '../../authorization/world/storePayment.ts';
import { storePayout } from '../../authorization/world/storePayout.ts';
import { storeRefund } from '../../authorization/world/storeRefund.ts';
import { openAuthenticator } from '../../support/people/authenticator.ts';
import { leaveTime } from '../../support/people/secondFactor.ts';
import { sellThrough } from '../../support/people/sellThrough.ts';
import type { Product } from '../../support/product.ts';
import { type Caller, type SeededDealer, unique } from '../../support/seed.ts';
import { copy, must, type Row, type Stock } from './Stock.ts';

/** Users, dealers, pages, and the earnings of a dealer. */
interface People extends Stock {
  readonly callers: Readonly<Record<'owner' | 'buyer' | 'founder' | 'staff' | 'operator', Caller>>;
  readonly garage: SeededDealer;
  /** Owner of dealers, which grow. */
  readonly founderId: string;
  readonly buyerId: string;
  /** Import whose errors grow. */
  readonly importId: string;
}

export async function openPeople(world: Product): Promise<People> {
  const { market, stack } = world;
  const { installation } = market;
  const here = installation.id;
  const staff = await market.staff('support', 'moderator', 'finance', 'editor', 'installation_admin');
  const [buyer, founder, garage] = [await market.user(), await market.user(), await market.dealer()];
  const { owner } = garage;
  const invited = { dealerId: garage.id, email: 'guest@example.test', role: 'AGENT' } as const;
  const { invitation } = await must(owner.inviteDealerMember(invited, 'invitation { id }'));
  const importId = newId('listingImport');
  const counts = { rows: 30, created: 0, updated: 0, unchanged: 0, archived: 0, failed: 30 };
  await collection('listing_imports').insertOne({
    _id: importId,
    installationId: here,
    dealerId: garage.id,
    format: 'csv',
    mode: 'upsert',
    dryRun: false,
    state: 'completed',
    totalRows: counts.rows,
    counts,
    version: 1,
    createdAt: new Date(),
  });
  let times = 0;

  async function growPeople(): Promise<void> {
    const person = await market.user();
    await market.dealer({ owner: founder });
    await must(buyer.blockUser({ userId: (await market.user()).id }));
    const member = { userId: person.id, role: 'agent', locationIds: [], joinedAt: new Date() };
    await collection('dealers').updateOne({ _id: garage.id }, { $push: { members: member as never } });
    const email = `${person.id}@example.test`;
    await copy('dealer_invitations', invitation.id, {
      _id: newId('invitation'),
      email,
      emailNormalized: email,
      tokenHash: person.id,
    });
    const record = await scoped(UserModel, here).findOne({ _id: buyer.id });
    if (record) await openSession(stack.contextFor({ installation }), record, { amr: ['pwd'] });
    await storePage(here, { status: 'published', text: `Page ${times}` });
  }

  async function growPapers(): Promise<void> {
    const own = { installationId: here, dealerId: garage.id, createdAt: new Date() };
    await collection('api_clients').insertOne({
      ...own,
      _id: newId('client'),
      slot: times,
      name: 'Machine',
      scopes: ['dealer:read'],
      secretLast4: 'abcd',
      allowedCidrs: [],
      createdBy: owner.id,
    });
    await collection('audit_events').insertOne({
      _id: newId('auditEvent'),
      installationId: here,
      actor: { type: 'user', id: buyer.id },
      action: 'read',
      target: { type: 'User', id: owner.id },
      result: 'allowed',
      at: new Date(),
      count: 1,
    });
    await collection('usage_counts').insertOne({
      _id: randomUUID(),
      installationId: here,
      hour: new Date(),
      client: 'web',
      operation: `GET /route/${times}`,
      count: 1,
      firstUsedAt: new Date(),
      lastUsedAt: new Date(),
      expiresAt: new Date(Date.now() + 86_400_000),
    });
    await copy('listing_imports', importId, { _id: newId('listingImport'), createdAt: new Date() });
    await collection('listing_import_errors').insertOne({
      _id: randomUUID(),
      installationId: here,
      importId,
      row: times,
      pointer: '#/title',
      code: 'required',
      detail: 'It needs a title.',
    });
  }

  async function growMoney(): Promise<void> {
    const paymentId = await sellThrough(stack, installation, { payerId: buyer.id, dealerId: garage.id });
    const paid = { paymentId, dealerId: garage.id };
    await storeRefund(here, paid);
    await storeRefund(here, paid, { state: 'failed', givenUpAt: new Date() });
    await storeDispute(here, buyer.id, garage.id);
    await storePayout(here, garage.id);
    await storePayout(here, garage.id, { state: 'in_transit', awaitsTransferSince: new Date() });
    await storePaymentMethod(here, buyer.id);
    await collection('ledger_proofs').insertOne({
      _id: `${here}:${times}`,
      installationId: here,
      at: new Date(times),
      accounts: 1,
      house: [],
      mismatches: [],
    });
  }

  return {
    callers: { owner, buyer, founder, staff, operator: await signInOperator(world) },
    garage,
    founderId: founder.id,
    buyerId: buyer.id,
    importId,
    async grow() {
      times += 1;
      await Promise.all([growPeople(), growPapers(), growMoney()]);
    },
  };
}

/** Adds an operator, as the command does, and signs it in. */
async function signInOperator({ market, stack, rest }: Product): Promise<Caller> {
  const { operator, password, otpauthUri } = await addOperator(
    { name: unique('operator') },
    { ...stack.platform, issuer: 'test' },
  );
  leaveTime(stack);
  const secret = new URL(otpauthUri).searchParams.get('secret') ?? '';
  const otp = openAuthenticator(secret).code(stack.platform.now());
  const body = { grant_type: 'password', username: operator.name, password, otp };
  const answer = await rest('POST', '/api/v1/auth/token', { body });
  return market.caller(answer.body.access_token);
}

const ofGarage = ({ garage }: People) => `dealerId: "${garage.id}"`;

/** The lists of users, dealers and money. */
export const peopleRows: readonly Row<People>[] = [
  { list: 'adminDealers', as: 'staff' },
  { list: 'adminPages', as: 'staff' },
  { list: 'adminPayments', as: 'staff' },
  {
    list: 'adminUser.dealerMemberships',
    as: 'staff',
    arguments: ({ founderId }) => `userId: "${founderId}"`,
  },
  { list: 'adminUsers', as: 'staff' },
  { list: 'apiUsage', as: 'staff' },
  { list: 'auditEvents', as: 'staff', arguments: ({ buyerId }) => `actor: "${buyerId}"` },
  { list: 'dealer.members', as: 'owner', arguments: ofGarage },
  { list: 'dealerApiClients', as: 'owner', arguments: ofGarage },
  { list: 'dealerLedgerEntries', as: 'owner', arguments: ofGarage },
  {
    list: 'dealerMembers',
    as: 'owner',
    arguments: (people) => `${ofGarage(people)}, include: [INVITATIONS]`,
  },
  { list: 'dealerPayouts', as: 'owner', arguments: ofGarage },
  { list: 'failedRefunds', as: 'staff' },
  { list: 'ledgerProofs', as: 'operator' },
  {
    list: 'listingImport.errors',
    as: 'owner',
    arguments: (people) => `${ofGarage(people)}, importId: "${people.importId}"`,
  },
  {
    list: 'listingImports',
    as: 'owner',
    arguments: ofGarage,
    without: { 'ListingImport.errors': 'a page of its own for each import' },
  },
  { list: 'me.dealerMemberships', as: 'founder' },
  { list: 'myBlocks', as: 'buyer' },
  { list: 'myPaymentMethods', as: 'buyer' },
  { list: 'mySessions', as: 'buyer' },
  { list: 'pages', as: 'staff' },
  { list: 'payments', as: 'buyer' },
  { list: 'payoutsToTransfer', as: 'staff' },
];
