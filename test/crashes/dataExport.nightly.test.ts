import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import mongoose from 'mongoose';
import { createInstallation } from '../../subgraphs/identity/installation/createInstallation.ts';
import { createUser } from '../../subgraphs/identity/user/createUser.ts';
import { newId } from '../../subgraphs/platform/ids/newId.ts';
import { createSecrets } from '../../subgraphs/platform/secrets/deriveSecret.ts';
import { download } from '../support/download.ts';
import { openHttpClient } from '../support/openHttpClient.ts';
import { openProcesses, type Processes } from '../support/openProcesses.ts';
import { readArchive } from '../support/readArchive.ts';
import type { Program } from '../support/startProgram.ts';

const patienceMs = 180_000;
const password = 'plum-tractor-9-violin';
const listings = 1200;
const host = 'shop.localhost';

let processes: Processes;
let installation: Awaited<ReturnType<typeof createInstallation>>;

beforeAll(async () => {
  processes = await openProcesses();
  installation = await createInstallation(
    { name: 'Shop', hosts: [host], baseUrl: `http://${host}` },
    { now: Date.now },
  );
}, patienceMs);
afterAll(() => processes.close(), patienceMs);

const portOf = ({ url }: Program) => Number(new URL(url).port);
const collection = (name: string) =>
  mongoose.connection.collection<{ _id: string; [member: string]: any }>(name);

/** Somebody with so much text that his archive takes a while. */
async function writer(): Promise<{ id: string; email: string }> {
  const email = `${newId('user').toLowerCase()}@example.test`;
  const { _id } = await createUser(
    installation,
    { email, displayName: 'Writer', password, emailVerified: true },
    { secrets: createSecrets(processes.secret), now: Date.now },
  );
  const owned = Array.from({ length: listings }, (_, index) => ({
    _id: newId('listing'),
    installationId: installation.id,
    owner: { type: 'user', id: _id },
    title: `Listing ${index}`,
    description: randomBytes(15_000).toString('base64'),
    state: 'draft',
    createdAt: new Date(),
    updatedAt: new Date(),
  }));
  for (let start = 0; start < owned.length; start += 200)
    await collection('listings').insertMany(owned.slice(start, start + 200));
  return { id: _id, email };
}

async function waitFor<T>(find: () => Promise<T | null | undefined | false>): Promise<T> {
  for (const end = Date.now() + patienceMs / 2; Date.now() < end; await pause(10)) {
    const found = await find();
    if (found) return found;
  }
  throw new Error('It did not happen.');
}

test.each(['disk', 'gridfs'])(
  'a process that is killed in the middle of an archive on %s is followed by one that finishes it',
  async (storage) => {
    const person = await writer();
    const victim = await processes.start({ STORAGE: storage });
    const client = openHttpClient(portOf(victim));
    const signedIn = await client.send({
      method: 'POST',
      path: '/api/v1/auth/token',
      host,
      body: { grant_type: 'password', username: person.email, password },
    });
    const token: string = signedIn.json.access_token;
    const asked = await client.send({ method: 'POST', path: '/api/v1/me/data-exports', host, token });
    expect(asked.status).toBe(202);
    const { id } = asked.json;
    const stored = () => collection('data_exports').findOne({ _id: id });
    // The woken job has begun and told its progress: it is at the listings, or just before.
    await waitFor(async () => (await stored())?.progress.done >= 4);
    await victim.kill();
    client.close();
    expect(await stored()).toMatchObject({ state: 'running', attempts: 1 });
    // The lease of a process that vanished ends after a minute; nobody has to wait for it here.
    await collection('leases').updateMany({}, { $set: { until: new Date(0) } });

    const successor = await processes.start({ STORAGE: storage });
    await waitFor(async () => (await stored())?.state === 'ready');
    expect(await stored()).toMatchObject({ attempts: 2 });
    const answer = await download(portOf(successor), `/api/v1/me/data-exports/${id}`, {
      host,
      authorization: `Bearer ${token}`,
    });
    const { url, byteSize } = JSON.parse(answer.bytes.toString());
    const { status, headers, bytes } = await download(portOf(successor), new URL(url).pathname, { host });
    expect([status, bytes.length, headers['content-length']]).toEqual([200, byteSize, String(byteSize)]);
    const files = await readArchive(bytes);
    expect(JSON.parse(files.get('listings.json') ?? '')).toHaveLength(listings);
    expect([...files.keys()].filter((file) => file.endsWith('.md'))).toHaveLength(listings);
    expect(await mailsTo(person.email)).toBe(1);
    await successor.stop();
  },
  patienceMs,
);

/** Mails of the demonstration's transport: files. */
async function mailsTo(email: string): Promise<number> {
  await waitFor(async () => (await collection('mails').countDocuments({ to: email, state: 'sent' })) > 0);
  const mails = await readdir(path.join(processes.dataDir, 'mails'));
  expect(mails.length).toBeGreaterThan(0);
  return collection('mails').countDocuments({ to: email });
}
