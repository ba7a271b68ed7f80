import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { newId } from '../../subgraphs/platform/ids/newId.ts';
import { download } from '../support/download.ts';
import { product } from '../support/product.ts';
import { readArchive } from '../support/readArchive.ts';
import { collection, waitFor } from './moneyWorld.ts';
import { openPrograms, type Programs } from './openPrograms.ts';

const patienceMs = 180_000;
const listings = 1200;

let programs: Programs | undefined;
// Declared before the stack, so that the programs end before it.
afterAll(() => programs?.close(), patienceMs);
const { market } = product({});
beforeAll(async () => {
  programs = await openPrograms();
});

const start = (storage: string) => {
  if (!programs) throw new Error('The programs are not open yet.');
  return programs.start(undefined, { STORAGE: storage });
};

/** A user with enough text that its archive takes several seconds. */
async function writer() {
  const user = await market.user();
  const owned = Array.from({ length: listings }, (_, index) => ({
    _id: newId('listing'),
    installationId: market.installation.id,
    owner: { type: 'user', id: user.id },
    title: `Listing ${index}`,
    description: randomBytes(15_000).toString('base64'),
    state: 'draft',
    createdAt: new Date(),
    updatedAt: new Date(),
  }));
  for (let start = 0; start < owned.length; start += 200)
    await collection('listings').insertMany(owned.slice(start, start + 200));
  return user;
}

test.each(['disk', 'gridfs'])(
  'an archive on %s whose process is killed is completed by the next process, and one mail is sent',
  async (storage) => {
    const user = await writer();
    const host = market.installation.hosts[0] ?? '';
    const { token } = user;
    const victim = await start(storage);
    const requested = await victim.client.send({
      method: 'POST',
      path: '/api/v1/me/data-exports',
      host,
      token,
    });
    expect(requested.status).toBe(202);
    const { id } = requested.json;
    const stored = () => collection('data_exports').findOne({ _id: id });
    // The job is exporting the listings, or is about to.
    await waitFor(async () => (await stored())?.progress.done >= 4);
    await victim.kill();
    expect(await stored()).toMatchObject({ state: 'running', attempts: 1 });
    // The lease of a killed process would last a minute.
    await collection('leases').updateMany({}, { $set: { until: new Date(0) } });

    const successor = await start(storage);
    await waitFor(async () => (await stored())?.state === 'ready');
    expect(await stored()).toMatchObject({ attempts: 2 });
    const ready = await successor.client.send({ path: `/api/v1/me/data-exports/${id}`, host, token });
    const { url, byteSize } = ready.json;
    const { status, headers, bytes } = await download(successor.port, new URL(url).pathname, { host });
    expect([status, bytes.length, headers['content-length']]).toEqual([200, byteSize, String(byteSize)]);
    const files = await readArchive(bytes);
    expect(JSON.parse(files.get('listings.json') ?? '')).toHaveLength(listings);
    expect([...files.keys()].filter((file) => file.endsWith('.md'))).toHaveLength(listings);
    const mails = collection('mails');
    await waitFor(async () => (await mails.countDocuments({ to: user.email, state: 'sent' })) > 0);
    expect(await readdir(path.join(programs?.dataDir ?? '', 'mails'))).not.toEqual([]);
    expect(await mails.countDocuments({ to: user.email })).toBe(1);
    await successor.stop();
  },
  patienceMs,
);
