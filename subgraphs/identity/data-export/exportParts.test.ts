import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { Schema } from 'mongoose';
import { storeDispute } from '../../../test/authorization/storeDispute.ts';
import { commandsOf } from '../../../test/support/commandsOf.ts';
import { openTestStack, type TestStack } from '../../../test/support/openTestStack.ts';
import { readArchive } from '../../../test/support/readArchive.ts';
import {
  type SeededDealer,
  type SeededInstallation,
  type SeededUser,
  seed,
} from '../../../test/support/seed.ts';
import { recordAudit } from '../../platform/audit/recordAudit.ts';
import { platformModels } from '../../platform/context/platformModels.ts';
import { newId } from '../../platform/ids/newId.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { ConsentModel } from '../consent/model.ts';
import type { StoredEvidence } from '../dispute/model.ts';
import { queueMail } from '../mail/queueMail.ts';
import { buildIdentity } from '../server.ts';
import { UserModel } from '../user/model.ts';
import { archiveKey } from './archiveOf.ts';
import { exportParts, notExported } from './exportParts.ts';
import { readAll } from './readAll.ts';
import { withheld } from './toReadable.ts';

let stack: TestStack;
let shop: SeededInstallation;
let user: SeededUser;
let dealer: SeededDealer;
let colleague: SeededUser;
let files: Map<string, string>;
let sha256: string;
let bytes: Buffer;

beforeAll(async () => {
  stack = await openTestStack({ subgraphs: [buildIdentity] });
  shop = await seed(stack).installation({ name: 'Cars & <Co>' });
  user = await shop.user({ displayName: 'Zoë', givenName: 'Zoë', password: 'plum-tractor-9-violin' });
  colleague = await shop.user({ displayName: 'Somebody else' });
  dealer = await shop.dealer({ owner: user, members: [{ userId: colleague.id, role: 'agent' }] });
  await user.listing({ title: 'Škoda of mine', description: 'My **own** words.' });
  await user.listing({ published: true, title: 'Another of mine' });
  await dealer.listing({ title: 'The dealer’s car' });
  await colleague.listing({ title: 'Car of somebody else' });
  const consent = 'mutation ($input: PutMyConsentInput!) { putMyConsent(input: $input) { consent { at } } }';
  for (const granted of [true, false]) {
    await as(consent, { purpose: 'marketing', version: '1', granted });
  }
  await as('mutation ($input: CreateSavedSearchInput!) { createSavedSearch(input: $input) { created } }', {
    name: 'Diesels',
    query: { attributes: [{ name: 'fuel', values: ['diesel'] }] },
    alert: 'DAILY',
  });
  const { id: listingId } = await colleague.listing({ published: true });
  await as('mutation ($input: AddFavoriteInput!) { addFavorite(input: $input) { created } }', {
    listingId,
    note: 'Ask about the tyres.',
  });
  await scoped(UserModel, shop.installation.id).findOneAndUpdate(
    { _id: user.id },
    {
      $set: {
        recoveryCodeHashes: ['secret-recovery-hash'],
        factors: [
          {
            id: 'mfa_1',
            label: 'My phone',
            state: 'active',
            sealedSecret: 'secret-seal',
            lastUsedStep: 7,
            createdAt: new Date(),
          },
        ],
      },
    },
  );
  await queueMail(stack.contextFor({ installation: shop.installation }), {
    to: user.email,
    locale: 'en',
    template: 'passwordChanged',
    data: { displayName: 'secret-mail-data' },
  });
  const admin = stack.contextFor({
    as: (await shop.staff('support')).token,
    installation: shop.installation,
  });
  await admin.identify();
  await recordAudit(admin, { action: 'adminUser', target: { type: 'user', id: user.id } });
  const evidence: StoredEvidence[] = [
    { by: 'payee', userId: colleague.id, text: 'It was all right.', mediaIds: [], at: new Date() },
  ];
  await storeDispute(shop.installation.id, user.id, dealer.id, { text: 'It rattles.', evidence });
  await make();
});
afterAll(() => stack.close());

const as = (source: string, input: object) =>
  stack.execute(source, { input }, { as: user.token, installation: shop.installation });

async function make(): Promise<void> {
  const { data } = await as(
    'mutation ($input: RequestMyDataExportInput!) { requestMyDataExport(input: $input) { dataExport { id } } }',
    {},
  );
  await stack.runJob('identity.data-exports');
  const { id } = data?.requestMyDataExport.dataExport ?? {};
  const ready = await stack.execute(
    'query ($id: ID!) { myDataExport(exportId: $id) { sha256 } }',
    { id },
    {
      as: user.token,
      installation: shop.installation,
    },
  );
  sha256 = ready.data?.myDataExport.sha256;
  const file = await stack.platform.storage.open(
    archiveKey({ installationId: shop.installation.id, _id: id }),
  );
  if (!file) throw new Error('There is no archive.');
  bytes = await buffer(file.stream);
  files = await readArchive(bytes);
}

const json = (file: string) => JSON.parse(files.get(file) ?? 'null');

test('another implementation reads the archive, and its SHA-256 is the one that is told', () => {
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256);
  const paths = [...files.keys()];
  for (const { file } of exportParts) expect(paths).toContain(file);
  expect(paths.at(-1)).toBe('index.html');
});

test.each([
  [
    'account.json',
    () => [
      { id: user.id, email: user.email, displayName: 'Zoë', givenName: 'Zoë', roles: ['buyer', 'seller'] },
    ],
  ],
  ['second-factors.json', () => [{ id: 'mfa_1', label: 'My phone', state: 'active' }]],
  [
    'consents.json',
    () => [
      { purpose: 'marketing', granted: true },
      { purpose: 'marketing', granted: false },
    ],
  ],
  [
    'sessions.json',
    () => [{ id: user.sessionId, amr: ['pwd'], userAgent: 'jest', ipPrefix: '192.0.2.0/24' }],
  ],
  [
    'listings.json',
    () => [
      { title: 'Škoda of mine', state: 'draft', description: 'My **own** words.' },
      { title: 'Another of mine', state: 'active' },
    ],
  ],
  [
    'favorites.json',
    () => [
      {
        listingId: expect.stringMatching(/^lst_/),
        note: 'Ask about the tyres.',
        priceAtSave: { amount: 1_245_000, currency: 'EUR' },
      },
    ],
  ],
  [
    'saved-searches.json',
    () => [
      {
        name: 'Diesels',
        alert: 'daily',
        query: { attributes: [{ name: 'fuel', values: ['diesel'], all: [], min: null, max: null }] },
      },
    ],
  ],
  ['dealer-memberships.json', () => [{ dealerId: dealer.id, role: 'owner', userId: user.id }]],
  ['mails.json', () => [{ to: user.email, template: 'passwordChanged' }]],
  [
    'payments.json',
    () => [
      {
        amount: 12_300,
        currency: 'EUR',
        refunds: [],
        dispute: {
          text: 'It rattles.',
          evidence: [{ by: 'payee', text: 'It was all right.' }],
          outcome: null,
        },
      },
    ],
  ],
  ['data-exports.json', () => [{ state: 'running' }]],
])('%s holds what is stored', (file, expected) => {
  expect(json(file)).toMatchObject(expected());
});

test('recorded actions are his own and those about him, the staff unnamed', () => {
  const events: { action: string; actor: object; ipPrefix: string | null }[] = json('activity.json');
  expect(events).toContainEqual(
    expect.objectContaining({ action: 'requestMyDataExport', actor: { type: 'user', id: user.id } }),
  );
  expect(events).toContainEqual(
    expect.objectContaining({ action: 'adminUser', actor: { type: 'user' }, ipPrefix: null }),
  );
});

test('texts of listings stand there to be read', () => {
  const texts = [...files].filter(([path]) => /^listings\/lst_\w+\.md$/.test(path)).map(([, text]) => text);
  expect(texts).toContain('# Škoda of mine\n\nMy **own** words.\n');
  expect(texts).toHaveLength(2);
});

test('the page for people names every file with its number of records, and loads nothing', () => {
  const page = files.get('index.html') ?? '';
  for (const { file, title } of exportParts) expect(page).toContain(`<a href="${file}">${title}</a>`);
  expect(page).toMatch(/listings\.json.*<td>2<\/td>/);
  expect(page).toContain('Cars &#38; &#60;Co&#62;');
  expect(page).not.toMatch(/https?:|<script|src=/);
});

test('nothing of anybody else is in it, and no secret', () => {
  const everything = [...files.values()].join('\n');
  for (const word of [
    colleague.id,
    colleague.email,
    'Somebody else',
    'Car of somebody else',
    'The dealer’s car',
    '$argon2id',
    'secret-',
    'installationId',
  ])
    expect(everything).not.toContain(word);
});

test('a new collection is exported, or it is said why not', () => {
  const stored = [...buildIdentity().models, ...platformModels].map(
    (model) => (model as unknown as { collection: { name: string } }).collection.name,
  );
  const exported = exportParts.flatMap(({ collections }) => collections);
  const known = [...exported, ...Object.keys(notExported)];
  expect(stored.filter((name) => !known.includes(name))).toEqual([]);
  expect(known.filter((name) => !stored.includes(name))).toEqual([]);
  expect(exported.filter((name) => name in notExported)).toEqual([]);
});

test('a member of an exported record that sounds like a secret is withheld', () => {
  const exported = new Set(exportParts.flatMap(({ collections }) => collections));
  const models = [...buildIdentity().models, ...platformModels] as unknown as {
    collection: { name: string };
    schema: Schema;
  }[];
  const paths = models
    .filter(({ collection }) => exported.has(collection.name))
    .flatMap(({ collection, schema }) => pathsOf(schema).map((path) => `${collection.name}.${path}`));
  const suspicious = paths.filter((path) =>
    /hash|secret|sealed|token|counter|boundto/i.test(path.split('.').slice(1).join('.')),
  );
  expect(suspicious.length).toBeGreaterThan(3);
  const shown = suspicious.filter((path) => !path.split('.').some((member) => withheld.has(member)));
  // Parts that show chosen members only.
  const chosen = /^(account_tokens|dealer_invitations|media)\./;
  expect(shown.filter((path) => !chosen.test(path))).toEqual([]);
});

function pathsOf(schema: Schema): string[] {
  return Object.entries(schema.paths).flatMap(([path, type]) => {
    const inner = (type as unknown as { schema?: Schema }).schema;
    return inner ? pathsOf(inner).map((deeper) => `${path}.${deeper}`) : [path];
  });
}

test('records are read page by page, each of them once, also where many have one time', async () => {
  const own = scoped(ConsentModel, shop.installation.id);
  const ids = Array.from({ length: 250 }, () => newId('consent'));
  const decision = {
    userId: 'usr_many',
    purpose: 'terms',
    version: '1',
    granted: true,
    source: 'web',
  } as const;
  for (const [index, _id] of ids.entries()) {
    await own.insert({ _id, ...decision, at: new Date(1_000 * Math.floor(index / 120)) });
  }
  const read: string[] = [];
  const commands = await commandsOf(async () => {
    for await (const { _id } of readAll(own, { userId: 'usr_many' }, 'at')) read.push(_id);
  });
  expect(new Set(read)).toEqual(new Set(ids));
  expect(read).toHaveLength(250);
  expect(commands).toEqual(['find consents', 'find consents', 'find consents']);
});
