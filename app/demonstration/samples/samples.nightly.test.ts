import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Program, startProgram } from '../../../test/support/stack/startProgram.ts';

/** Pictures are rendered at a low priority, which takes long on a busy machine. */
const patienceMs = 900_000;
const password = 'samples-password-1';
let folder: string;
let product: Program;

const start = () =>
  startProgram('product', 'bin/main.ts', {
    DATA_DIR: folder,
    DEMO_PASSWORD: password,
    PORT: '0',
    MONGODB_URI: '',
    RATE_LIMITS: 'off',
  });

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'trigate-samples-'));
  product = await start();
}, patienceMs);
afterAll(async () => {
  await product.stop();
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
}, patienceMs);

async function signIn(person: string): Promise<string> {
  const body = new URLSearchParams({
    grant_type: 'password',
    username: `${person}@demo.example`,
    password,
  });
  const answer = await fetch(`${product.url}/api/v1/auth/token`, { method: 'POST', body });
  return ((await answer.json()) as { access_token: string }).access_token;
}

/** Tokens by person; they last longer than the test asks. */
const tokens = new Map<string, string>();

async function tokenOf(person: string): Promise<string> {
  const token = tokens.get(person) ?? (await signIn(person));
  tokens.set(person, token);
  return token;
}

async function ask<T>(query: string, person?: string): Promise<T> {
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (person !== undefined) headers.authorization = `Bearer ${await tokenOf(person)}`;
  const answer = await fetch(`${product.url}/graphql`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ query }),
  });
  const { data, errors } = (await answer.json()) as { data: T; errors?: object[] };
  if (errors) throw new Error(JSON.stringify(errors));
  return data;
}

/** Waits for the last sample, the payout of a dealer. */
async function untilComplete(): Promise<void> {
  const query = '{ me { dealerMemberships { dealerId } } }';
  const { me } = await ask<{ me: { dealerMemberships: { dealerId: string }[] } }>(query, 'dealer');
  const dealerId = me.dealerMemberships[0]?.dealerId;
  for (;;) {
    const { dealerPayouts } = await ask<{ dealerPayouts: { nodes: object[] } }>(
      `{ dealerPayouts(dealerId: "${dealerId}") { nodes { id } } }`,
      'dealer',
    );
    if (dealerPayouts.nodes.length > 0) return;
    await pause(1000);
  }
}

test(
  'the demonstration gets pictures, conversations, reports, money, translations and an audit after its start, once',
  async () => {
    // The first process ends in the middle of the work, after the reports, and the second continues it.
    const reports = '{ adminReports(state: [OPEN, IN_REVIEW, DISMISSED]) { nodes { state } } }';
    const isReported = async () =>
      (
        await ask<{ adminReports: { nodes: { state: string }[] } }>(reports, 'moderator')
      ).adminReports.nodes.some(({ state }) => state === 'DISMISSED');
    while (!(await isReported())) await pause(200);
    await product.stop();
    // Tokens name the port as their issuer, and the next process has another one.
    tokens.clear();
    product = await start();
    await untilComplete();
    const counted = '{ catalogListings(first: 1, withImages: %, count: true) { totalCount } }';
    const count = async (withImages: boolean) =>
      (await ask<{ catalogListings: { totalCount: number } }>(counted.replace('%', String(withImages))))
        .catalogListings.totalCount;
    expect(await count(true)).toBeGreaterThan(395);
    expect(await count(false)).toBe(0);
    const { adminReports, adminListings } = await ask<Record<string, { nodes: { state: string }[] }>>(
      `{ adminReports(state: [OPEN, IN_REVIEW, DISMISSED]) { nodes { state } }
         adminListings { nodes { state flags } } }`,
      'moderator',
    );
    expect(adminReports?.nodes.map(({ state }) => state).sort()).toEqual([
      'DISMISSED',
      'IN_REVIEW',
      'OPEN',
      'OPEN',
    ]);
    expect(
      adminListings?.nodes
        .map((listing) => Object(listing).flags)
        .flat()
        .sort(),
    ).toEqual(['REPORTED', 'REPORTED', 'RESUBMITTED']);
    const { conversations } = await ask<{ conversations: { nodes: object[] } }>(
      '{ conversations { nodes { id } } }',
      'buyer',
    );
    expect(conversations.nodes).toHaveLength(3);
    const { seoAuditJobs } = await ask<{ seoAuditJobs: { nodes: { state: string }[] } }>(
      '{ seoAuditJobs { nodes { state } } }',
      'admin',
    );
    expect(seoAuditJobs.nodes).toEqual([{ state: 'COMPLETED' }]);
  },
  patienceMs,
);
