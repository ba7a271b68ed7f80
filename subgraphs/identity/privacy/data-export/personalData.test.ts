import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { Schema } from 'mongoose';
import { storeDispute } from '../../../../test/authorization/world/storeDispute.ts';
import { perFile, product } from '../../../../test/support/product.ts';
import { readArchive } from '../../../../test/support/readArchive.ts';
import { commandsOf } from '../../../../test/support/stack/commandsOf.ts';
import { newId } from '../../../platform/ids/newId.ts';
import { platformModels } from '../../../platform/process/platformModels.ts';
import { readAll } from '../../kernel/personal-data/readAll.ts';
import { withheld } from '../../kernel/personal-data/toReadable.ts';
import { queueMail } from '../../mail/queueMail.ts';
import type { StoredEvidence } from '../../payments/dispute/record/model.ts';
import { ConsentModel } from '../../people/consent/model.ts';
import { UserModel } from '../../people/user/model.ts';
import buildIdentity, { exportParts, personalData } from '../../server.ts';
import { archiveKey } from './archiveOf.ts';
import { notExported } from './notExported.ts';

const { neighbour, stack } = product();
let files: Map<string, string>;
let sha256: string | null | undefined;
let bytes: Buffer;

const shop = perFile(() => neighbour({ name: 'Cars & <Co>' }));
const user = perFile(() =>
  shop.user({ displayName: 'Zoë', givenName: 'Zoë', password: 'plum-tractor-9-violin' }),
);
const colleague = perFile(() => shop.user({ displayName: 'Somebody else' }));
const dealer = perFile(() =>
  shop.dealer({ owner: user, members: [{ userId: colleague.id, role: 'agent' }] }),
);
beforeAll(async () => {
  await user.listing({ title: 'Škoda of mine', description: 'My **own** words.' });
  await user.listing({ published: true, title: 'Another of mine' });
  await dealer.listing({ title: 'The dealer’s car' });
  await colleague.listing({ title: 'Car of somebody else' });
  for (const granted of [true, false])
    await user.putMyConsent({ purpose: 'marketing', version: '1', granted });
  const query = { attributes: [{ name: 'fuel', values: ['diesel'] }] };
  await user.createSavedSearch({ name: 'Diesels', query, alert: 'DAILY' });
  const { id: listingId } = await colleague.listing({ published: true });
  await user.addFavorite({ listingId, note: 'Ask about the tyres.' });
  await storeSecrets();
  await (await shop.staff('support')).adminUser({ userId: user.id });
  const evidence: StoredEvidence[] = [
    { by: 'payee', userId: colleague.id, text: 'It was all right.', mediaIds: [], at: new Date() },
  ];
  await storeDispute(shop.installation.id, user.id, dealer.id, { text: 'It rattles.', evidence });
  await readExport();
});

/** Stores data that an export must not contain. */
async function storeSecrets(): Promise<void> {
  const phone = { id: 'mfa_1', label: 'My phone', sealedSecret: 'secret-seal', lastUsedStep: 7 };
  const factors = [{ ...phone, state: 'active' as const, createdAt: new Date() }];
  const set = { recoveryCodeHashes: ['secret-recovery-hash'], factors };
  await shop.records(UserModel).findOneAndUpdate({ _id: user.id }, { $set: set });
  await queueMail(stack.contextFor(shop), {
    to: user.email,
    locale: 'en',
    template: 'passwordChanged',
    data: { displayName: 'secret-mail-data' },
  });
}

async function readExport(): Promise<void> {
  const { id: exportId } = (await user.requestMyDataExport({})).dataExport;
  await stack.runJob('identity.data-exports');
  ({ sha256 } = await user.myDataExport({ exportId }));
  const key = archiveKey({ installationId: shop.installation.id, _id: exportId });
  const file = await stack.platform.storage.open(key);
  if (!file) throw new Error('The archive does not exist.');
  bytes = await buffer(file.stream);
  files = await readArchive(bytes);
}

const json = (file: string) => JSON.parse(files.get(file) ?? 'null');

test('another implementation reads the archive of a data export, which has the published SHA-256', () => {
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256);
  const paths = [...files.keys()];
  for (const { file } of exportParts) expect(paths).toContain(file);
  expect(paths.at(-1)).toBe('index.html');
});

const account = () => ({ id: user.id, email: user.email, displayName: 'Zoë', givenName: 'Zoë' });
const note = 'Ask about the tyres.';
const diesels = { attributes: [{ name: 'fuel', values: ['diesel'], all: [], min: null, max: null }] };
const evidence = [{ by: 'payee', text: 'It was all right.' }];
const dispute = { text: 'It rattles.', evidence, outcome: null };
test.each<[string, () => object[]]>([
  ['account', () => [{ ...account(), roles: ['buyer', 'seller'] }]],
  ['second-factors', () => [{ id: 'mfa_1', label: 'My phone', state: 'active' }]],
  ['consents', () => [true, false].map((granted) => ({ purpose: 'marketing', granted }))],
  ['sessions', () => [{ id: user.sessionId, amr: ['pwd'], userAgent: 'jest', ipPrefix: '192.0.2.0/24' }]],
  [
    'listings',
    () => [
      { title: 'Škoda of mine', state: 'draft', description: 'My **own** words.' },
      { title: 'Another of mine', state: 'active' },
    ],
  ],
  ['favorites', () => [{ note, priceAtSave: { amount: 1_245_000, currency: 'EUR' } }]],
  ['saved-searches', () => [{ name: 'Diesels', alert: 'daily', query: diesels }]],
  ['dealer-memberships', () => [{ dealerId: dealer.id, role: 'owner', userId: user.id }]],
  ['mails', () => [{ to: user.email, template: 'passwordChanged' }]],
  ['payments', () => [{ amount: 12_300, currency: 'EUR', refunds: [], dispute }]],
  ['data-exports', () => [{ state: 'running' }]],
])('%s.json of a data export contains the stored records', (file, expected) => {
  expect(json(`${file}.json`)).toMatchObject(expected());
});

test('activity.json of a data export contains actions by and about the user, without the ids of the staff', () => {
  const events: { action: string; actor: object; ipPrefix: string | null }[] = json('activity.json');
  expect(events).toContainEqual(
    expect.objectContaining({ action: 'requestMyDataExport', actor: { type: 'user', id: user.id } }),
  );
  expect(events).toContainEqual(
    expect.objectContaining({ action: 'adminUser', actor: { type: 'user' }, ipPrefix: null }),
  );
});

test('a data export contains the texts of listings as Markdown', () => {
  const texts = [...files].filter(([path]) => /^listings\/lst_\w+\.md$/.test(path)).map(([, text]) => text);
  expect(texts).toContain('# Škoda of mine\n\nMy **own** words.\n');
  expect(texts).toHaveLength(2);
});

test('the index page of a data export lists every file with its number of records and loads no resources', () => {
  const page = files.get('index.html') ?? '';
  for (const { file, title } of exportParts) expect(page).toContain(`<a href="${file}">${title}</a>`);
  expect(page).toMatch(/listings\.json.*<td>2<\/td>/);
  expect(page).toContain('Cars &#38; &#60;Co&#62;');
  expect(page).not.toMatch(/https?:|<script|src=/);
});

test('a data export contains no data of other users and no secrets', () => {
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

test('every collection is either exported or listed with the reason', () => {
  const stored = [...buildIdentity().models, ...platformModels].map(
    (model) => (model as unknown as { collection: { name: string } }).collection.name,
  );
  const exported = exportParts.flatMap(({ collections }) => collections);
  const known = [...exported, ...Object.keys(notExported)];
  expect(stored.filter((name) => !known.includes(name))).toEqual([]);
  expect(known.filter((name) => !stored.includes(name))).toEqual([]);
  expect(exported.filter((name) => name in notExported)).toEqual([]);
});

test('a resource that exports records erases them or states what is kept', () => {
  const silent = personalData.filter(
    ({ exports, erase, eraseByAddress, kept }) => exports && !erase && !eraseByAddress && !kept,
  );
  expect(silent).toEqual([]);
});

test('members of exported records whose names suggest a secret are withheld', () => {
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
  // These parts export selected members only.
  const chosen = /^(mail_links|dealer_invitations|media)\./;
  expect(shown.filter((path) => !chosen.test(path))).toEqual([]);
});

function pathsOf(schema: Schema): string[] {
  return Object.entries(schema.paths).flatMap(([path, type]) => {
    const inner = (type as unknown as { schema?: Schema }).schema;
    return inner ? pathsOf(inner).map((deeper) => `${path}.${deeper}`) : [path];
  });
}

test('records of a data export are read in pages and once each, also with equal times', async () => {
  const own = shop.records(ConsentModel);
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
